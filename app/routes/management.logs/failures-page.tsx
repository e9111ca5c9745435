import type { SerializeFrom } from "@remix-run/node";
import { channelLabels, channelNames, type ChannelName } from "~/features/delivery/delivery-outcome";
import { causeOf, downCause } from "~/features/delivery/failure-texts";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import type { FailurePage, NoResend } from "~/features/logs/failure-list.server";
import { isWithheld } from "~/features/referrals/archive/image-identity";
import { showDate, showDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Checkbox } from "~/ui/forms/choices";
import { SelectField } from "~/ui/forms/select-field";
import type { IconName } from "~/ui/icons/icon-names";
import { Pager } from "~/ui/lists/pager";
import { FailureRow } from "./failure-row";
import { LogPanel, logPageAddress, NO_DATA } from "./log-panel";

export type Failures = SerializeFrom<FailurePage>;
type Row = Failures["rows"][number];
type ShownFailures = ReturnType<typeof presentFailures>;
export type ShownFailure = ReturnType<typeof presentFailure>;

const icons: Readonly<Record<ChannelName, IconName>> = {
  email: "email",
  sms: "sms",
  eboks: "eboks",
  print: "letter",
  archive: "radiograph",
  edi: "external",
};

/** Why a message cannot be resent here, and what to do. */
const noResend: Readonly<Record<NoResend, string>> = {
  elsewhere: "Sendes igen fra henvisningen.",
  closed: "Henvisningen er afsluttet: der sendes ikke mere.",
  gone: "Der sendes ikke mere, så længe registret siger det.",
  noReferral: "Kontakt modtageren på anden vis.",
  waits: "Sendes af sig selv. Haster det, så ring.",
};

const fieldLabels = {
  patientMobilePhone: { action: "Ret mobilnummer", label: "Mobilnummer" },
  patientEmail: { action: "Ret e-mail", label: "E-mail" },
};

export const presentFailures = (page: Failures) => ({
  ...page,
  waiting: waitingText(page),
  channels: channelNames.map((value) => ({ value, label: channelLabels[value] })),
  kinds: (Object.keys(messageKinds) as Kind[])
    .filter((kind) => kind !== "testMessage")
    .map((value) => ({ value, label: messageKinds[value].label })),
  down: page.down.map(({ channel, since, count, isTried, reason }) => ({
    channel,
    title: `${channelLabels[channel]} har ikke kunnet sendes siden ${atOf(since)}.`,
    text: `${downCause(isTried, reason)} ${count === 1 ? "1 besked" : `${count} beskeder`} venter og sendes af sig selv, når den er tilbage.`,
  })),
  rows: page.rows.map(presentFailure),
});

function waitingText({ open: { count, oldest } }: Failures): string {
  if (count === 0) return "Alt er håndteret";
  const since = oldest === null ? "" : ` · ældste fra ${showDate(oldest)}`;
  return `${count} skal håndteres${since}`;
}

const atOf = (iso: string) => showDateTime(iso);

const presentFailure = (row: Row) => ({
  id: row.id,
  referralId: row.referralId,
  name: row.patient?.name ?? row.receiver ?? NO_DATA,
  cpr: row.patient?.cpr ?? null,
  to: row.patient !== null && row.receiver !== null ? `til ${row.receiver}` : null,
  what: messageKinds[row.kind].label,
  how: `${channelLabels[row.channel]} · ${atOf(row.at)}`,
  icon: icons[row.channel],
  isUnknown: row.outcome === "unknown" || row.outcome === "awaiting",
  cause: causeOf(row),
  hasReturnedText: row.reason === "cameBack",
  can: row.can && {
    arrived: row.can.arrived,
    handle: row.can.handle,
    again: row.can.again ? row.channel : null,
    againLabel: isWithheld(row.reason) ? "Send alligevel" : "Send igen",
    instead: row.can.instead.map((channel) => ({ channel, label: channelLabels[channel] })),
    correct: row.can.correct && { ...row.can.correct, ...fieldLabels[row.can.correct.field] },
    none: row.can.none && noResend[row.can.none],
  },
  handled: row.handled && {
    text: `Håndteret${row.handled.by === null ? "" : ` af ${row.handled.by}`} ${atOf(row.handled.at)}`,
    note: row.handled.note,
    canUndo: row.handled.canUndo,
  },
});

export function FailuresPage({ list, isLoading }: { list: ShownFailures; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, {
      type: "fejl",
      nr: list.visitNumber || null,
      kanal: list.channel,
      slags: list.kind,
      haandterede: list.withHandled ? 1 : null,
    });
  return (
    <>
      {list.down.map(({ channel, title, text }) => (
        <Notice key={channel} kind="warn" title={title} className="mb-3">
          {text}
        </Notice>
      ))}
      <FailureFilter list={list} />
      <h2 className="mt-4 mb-2">
        FORSENDELSER, DER FEJLEDE <span className="meta font-normal">{list.waiting}</span>
      </h2>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState icon="done" why="Alt er kommet frem, eller nogen har taget sig af det." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <FailureRow key={`${row.id} ${row.handled === null}`} failure={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function FailureFilter({ list }: { list: ShownFailures }) {
  const { visitNumber, isWrongNumber, channel, kind, withHandled } = list;
  return (
    <LogPanel type="fejl" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[channel, kind, withHandled]}>
      <SelectField name="kanal" label="Kanal" empty="Alle" choices={list.channels} defaultValue={channel ?? ""} />
      <SelectField name="slags" label="Type" empty="Alle" choices={list.kinds} defaultValue={kind ?? ""} />
      <Checkbox name="haandterede" value={1} label="Vis også håndterede" defaultChecked={withHandled} />
    </LogPanel>
  );
}
