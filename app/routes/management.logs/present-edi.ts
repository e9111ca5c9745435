import type { SerializeFrom } from "@remix-run/node";
import { outcomes } from "~/features/delivery/delivery-outcome";
import { type EdiState, ediKinds, ediReasons, ediStates } from "~/features/edi/edi-states";
import type { EdiPage } from "~/features/edi/list/list-edi.server";
import { showDateTime } from "~/text/dates";
import type { Toned } from "~/ui/lists/chip";

export type EdiMessages = SerializeFrom<EdiPage>;
type Row = EdiMessages["rows"][number];
export type ShownEdi = ReturnType<typeof presentEdi>;
export type ShownEdiMessage = ReturnType<typeof presentMessage>;

const tones: Readonly<Record<EdiState, Omit<Toned, "label">>> = {
  new: { tone: "info", icon: "clock" },
  waiting: { tone: "info", icon: "clock" },
  person: { tone: "warn", icon: "warning" },
  imported: { tone: "ok", icon: "done" },
  attached: { tone: "ok", icon: "done" },
  receipt: { tone: "info", icon: "check" },
  duplicate: { tone: "info", icon: "info" },
  refused: { tone: "err", icon: "failed" },
  dismissed: { tone: "info", icon: "delete" },
};

export const presentEdi = (page: EdiMessages) => ({
  ...page,
  states: (Object.keys(ediStates) as EdiState[]).map((value) => ({ value, label: ediStates[value] })),
  rows: page.rows.map(presentMessage),
});

const presentMessage = (row: Row) => ({
  id: row.id,
  at: { iso: row.receivedAt, text: showDateTime(row.receivedAt) },
  what: row.kind === "refused" ? (row.type ?? "Ukendt fil") : ediKinds[row.kind],
  numbers: [row.type, row.letterId && `brev ${row.letterId}`, row.envelopeId && `kuvert ${row.envelopeId}`]
    .filter(Boolean)
    .join(" · "),
  sender: row.sender,
  patient: row.patient,
  state: { label: ediStates[row.state], ...tones[row.state] } satisfies Toned,
  why: whyOf(row),
  referralId: row.referralId,
  earlier: row.earlier,
  receipt: row.receipt === null ? null : `Kvittering: ${outcomes[row.receipt].toLowerCase()}`,
  files: [
    ...row.files.map(({ name, refused }) => (refused === null ? name : `${name} er afvist: ${refused}`)),
    ...row.lacks.map(
      ({ name, isLate }) => `${name} ${isLate ? "er ikke kommet inden for fire timer" : "er ikke kommet endnu"}`,
    ),
  ],
  isLate: row.lacks.some(({ isLate }) => isLate) || row.files.some(({ refused }) => refused !== null),
  decided: row.decided && `${row.decided.by} ${showDateTime(row.decided.at)}`,
  can: row.can,
});

function whyOf(row: Row): string | null {
  if (row.state === "duplicate") return `Samme brev som EDI-besked ${row.duplicateOf}.`;
  const removed = row.isRemoved ? "Indholdet er slettet efter 90 dage." : null;
  const register = row.registerName === null ? null : `CPR-registret siger ${row.registerName}.`;
  const before = row.duplicateOf === null ? null : `Det første er EDI-besked ${row.duplicateOf}.`;
  const sentences = [row.reason && ediReasons[row.reason], before, register, row.detail, row.words, removed];
  return sentences.filter(Boolean).join(" ") || null;
}
