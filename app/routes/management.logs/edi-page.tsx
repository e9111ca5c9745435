import type { SerializeFrom } from "@remix-run/node";
import { outcomes } from "~/features/delivery/delivery-outcome";
import { type EdiState, ediKinds, ediReasons, ediStates } from "~/features/edi/edi-states";
import type { EdiPage } from "~/features/edi/list/edi-list.server";
import { ActionForm } from "~/http/forms/action-form";
import { useFormErrors } from "~/http/forms/use-action-result";
import { useBusy } from "~/http/forms/use-button-state";
import { paths } from "~/paths";
import { showDateTime, showShortDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/select-field";
import type { Toned } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { EdiRow } from "./edi-row";
import { LogPanel, logPageAddress } from "./log-panel";

export type EdiMessages = SerializeFrom<EdiPage>;
type Row = EdiMessages["rows"][number];
type ShownEdi = ReturnType<typeof presentEdi>;
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
  at: { iso: row.receivedAt, text: showShortDateTime(row.receivedAt) },
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

export function EdiPage({ list, isLoading }: { list: ShownEdi; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, { type: "edi", nr: list.visitNumber || null, status: list.state });
  return (
    <>
      {list.inbox === null && (
        <Notice kind="warn" title="Ikke indstillet." className="mb-3">
          Portalen har ingen EDI-mappe at læse fra: EDI_DIR eller EDI_SFTP_URL skal sættes på serveren.
        </Notice>
      )}
      <EdiFilter list={list} />
      <div className="flex flex-wrap items-center justify-between">
        <EdiDirections current="in" visitNumber={list.visitNumber} waiting={list.waiting} />
        {list.inbox !== null && <ImportButton here={here(list.page)} label={list.inbox} />}
      </div>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Der er ikke kommet noget pr. EDI, der passer." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <EdiRow key={`${row.id} ${row.state.label}`} message={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function ImportButton({ here, label }: { here: string; label: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  const errors = useFormErrors("runEdiImport");
  return (
    <ActionForm
      operation="runEdiImport"
      showsErrors
      action={here}
      preventScrollReset
      className="flex flex-wrap items-center tablet:mt-4 mb-3 tablet:mb-2"
    >
      <span className="meta mr-3">{label}</span>
      <Button name="intent" value="runEdiImport" size="small" aria-disabled={isBusy || undefined}>
        EDI-import
      </Button>
      {errors.length > 0 && (
        <Notice kind="error" live className="ml-3">
          {errors.join(" ")}
        </Notice>
      )}
    </ActionForm>
  );
}

function EdiFilter({ list: { visitNumber, isWrongNumber, state, states } }: { list: ShownEdi }) {
  return (
    <LogPanel type="edi" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[state]}>
      <SelectField name="status" label="Status" empty="Alle" choices={states} defaultValue={state ?? ""} />
    </LogPanel>
  );
}

interface Props {
  current: "in" | "out";
  visitNumber: string;
  waiting: number;
}

export function EdiDirections({ current, visitNumber, waiting }: Props) {
  const number = visitNumber === "" ? "" : `&nr=${encodeURIComponent(visitNumber)}`;
  const link = (direction: Props["current"], href: string, label: string) => (
    <a
      href={href}
      aria-current={current === direction ? "page" : undefined}
      className="inline-flex items-center min-h-11 table:min-h-9 mr-4 current:text-ink current:font-semibold current:no-underline"
    >
      {label}
    </a>
  );
  return (
    <nav aria-label="EDI" className="flex flex-wrap items-center mt-4 mb-2 print:hidden">
      {link("in", `${paths.logs}?type=edi${number}`, "Modtaget")}
      {link("out", `${paths.logs}?type=edi&retning=ud${number}`, "Sendt")}
      <span className="meta">{waiting === 0 ? "Alt er afgjort" : `${waiting} skal afgøres`}</span>
    </nav>
  );
}
