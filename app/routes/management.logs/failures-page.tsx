import type { SerializeFrom } from "@remix-run/node";
import type { ReactNode } from "react";
import { channelLabels, channelNames, type ChannelName } from "~/features/delivery/delivery-outcome";
import { causeOf, downCause } from "~/features/delivery/failure-texts";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import type { FailurePage, NoResend } from "~/features/logs/failure-list.server";
import { isWithheld, RELEASED_BY } from "~/features/referrals/archive/image-identity";
import { showDate, showDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Checkbox } from "~/ui/forms/choices";
import { SelectField, TextField } from "~/ui/forms/fields";
import type { IconName } from "~/ui/icons/icon-names";
import { Pager } from "~/ui/lists/pager";
import { LogPanel, logPageAddress, NO_DATA } from "./log-panel";
import { ActionForm, useBusy, useServerForm } from "~/http/forms/action-form";
import { useActionResult } from "~/http/forms/use-action-result";
import { paths } from "~/paths";
import { Button, type ButtonVariant, buttonClass } from "~/ui/forms/button";
import { ErrorSummary } from "~/ui/forms/error-summary";
import { Icon } from "~/ui/icons/icon";
import { classNames } from "~/ui/layout/class-names";

type Failures = SerializeFrom<FailurePage>;
type Row = Failures["rows"][number];
type ShownFailures = ReturnType<typeof presentFailures>;
type ShownFailure = ReturnType<typeof presentFailure>;

const icons: Readonly<Record<ChannelName, IconName>> = {
  email: "email",
  sms: "sms",
  eboks: "eboks",
  print: "letter",
  archive: "radiograph",
  edi: "external",
};

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
  withheldAs: row.reason === "samePicture" ? row.detail : null,
  hasReturnedText: row.reason === "cameBack",
  can: row.can && {
    arrived: row.can.arrived,
    handle: row.can.handle,
    again: row.can.again ? row.channel : null,
    againLabel: isWithheld(row.reason) ? RELEASED_BY[row.reason] : "Send igen",
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

const line = "flex flex-wrap items-center table:justify-end -mx-1 [&>*]:m-1 empty:hidden";

interface Props {
  failure: ShownFailure;
  here: string;
}

const grid =
  "px-4 py-3 [&>*+*]:mt-2 table:[&>*+*]:mt-0 table:grid table:grid-cols-[160px_190px_minmax(0,1fr)_280px] desk:grid-cols-[190px_220px_minmax(0,1fr)_430px] table:[grid-gap:4px_20px]";

function FailureRow({ failure, here }: Props) {
  const { id, cause, hasReturnedText, isUnknown, can, handled } = failure;
  const answer = useActionResult(`failure-${id}`);
  const errors = answer?.submission?.error?.[""] ?? [];
  const wanted = answer?.refusal === "stillAwaiting" ? answer.submission?.initialValue?.channel : undefined;
  return (
    <li
      id={`f${id}`}
      className={classNames(
        grid,
        isUnknown && !handled && "border-l-[3px] !border-l-err !pl-[13px]",
        handled && "bg-ground text-ink2",
      )}
    >
      <Whom failure={failure} />
      <div className="flex items-start">
        <Icon name={failure.icon} size={18} className="mr-2 mt-0.5 text-ink2" />
        <div>
          <div>{failure.what}</div>
          <div className="meta">{failure.how}</div>
        </div>
      </div>
      {handled ? (
        <div className="flex items-start">
          <Icon name="done" size={18} className="flex-none mr-2 mt-0.5 text-ok" />
          <div>
            {handled.text}
            {handled.note && <div className="meta">{handled.note}</div>}
          </div>
        </div>
      ) : (
        <div>
          <b className={isUnknown ? "text-err" : "text-warn"}>{cause.title}</b>
          {failure.withheldAs && <div>{failure.withheldAs}.</div>}
          <div>{cause.text}</div>
          {hasReturnedText && (
            <a href={`${paths.logMessage(id)}${here.slice(here.indexOf("?"))}`}>
              Læs, hvad der kom retur<span className="sr-only">, {failure.name}</span>
            </a>
          )}
          {cause.answer && <div className="meta break-anywhere">Svar: {cause.answer}</div>}
          {can?.correct && <Correct failure={failure} correct={can.correct} here={here} />}
          {errors.length > 0 && (
            <Notice
              kind={wanted ? "warn" : "error"}
              live
              className="mt-2"
              action={
                typeof wanted === "string" && (
                  <Action
                    failure={failure}
                    here={here}
                    intent="resendFailure"
                    fields={{ channel: wanted, mayOverlap: "on" }}
                  >
                    Send også
                  </Action>
                )
              }
            >
              {errors.join(" ")}
            </Notice>
          )}
        </div>
      )}
      {can && <Actions failure={failure} can={can} here={here} />}
      {handled?.canUndo && (
        <div className="table:text-right">
          <Action failure={failure} here={here} intent="reopenFailure" icon="undo" variant="plain">
            Fortryd
          </Action>
        </div>
      )}
    </li>
  );
}

function Whom({ failure: { name, cpr, referralId, to } }: { failure: ShownFailure }) {
  return (
    <div>
      <b>{name}</b>
      <div className="meta">
        {cpr}
        {cpr !== null && referralId !== null && " · "}
        {referralId !== null && <a href={paths.referral(referralId)}>nr. {referralId}</a>}
        {to !== null && <div>{to}</div>}
      </div>
    </div>
  );
}

function Actions({ failure, can, here }: Props & { can: NonNullable<ShownFailure["can"]> }) {
  const send = (channel: string, label: string, variant: ButtonVariant) => (
    <Action key={channel} failure={failure} here={here} intent="resendFailure" fields={{ channel }} variant={variant}>
      {label}
    </Action>
  );
  return (
    <div className="table:text-right print:hidden">
      <div className={line}>
        {can.arrived && (
          <Action failure={failure} here={here} intent="settleAsArrived">
            Den er kommet frem
          </Action>
        )}
        {can.again !== null && send(can.again, can.againLabel, can.arrived ? "soft" : "outline")}
        {can.none && <span className="meta">{can.none}</span>}
        {can.instead.length > 0 && <span className="meta">{can.again === null ? "Send i stedet som" : "eller"}</span>}
        {can.instead.map(({ channel, label }, index) =>
          send(channel, label, can.again === null && index === 0 ? "outline" : "soft"),
        )}
      </div>
      {can.handle && (
        <Action failure={failure} here={here} intent="markFailureHandled" icon="done" variant="plain">
          <span className="sr-only">Markér som </span>Håndteret
        </Action>
      )}
    </div>
  );
}

interface ActionProps extends Props {
  intent: string;
  fields?: Record<string, string>;
  icon?: IconName;
  variant?: ButtonVariant;
  children: ReactNode;
}

function Action({ failure: { id, name }, here, intent, fields = {}, icon, variant, children }: ActionProps) {
  const isBusy = useBusy(intent) === "working";
  return (
    <ActionForm
      operation={intent}
      place={`failure-${id}`}
      item={`messageId:${id}`}
      showsErrors
      action={here}
      preventScrollReset
      className="inline-block"
    >
      {Object.entries(fields).map(([field, value]) => (
        <input key={field} type="hidden" name={field} value={value} />
      ))}
      <Button value={intent} size="small" variant={variant} icon={icon} aria-disabled={isBusy || undefined}>
        {children}
        <span className="sr-only">
          , {name}, {id}
        </span>
      </Button>
    </ActionForm>
  );
}

type Correctable = NonNullable<NonNullable<ShownFailure["can"]>["correct"]>;

function Correct({ failure: { id, referralId, name }, correct, here }: Props & { correct: Correctable }) {
  const formId = `correct-${id}`;
  const { form, fields, opened, summary, wasRefused } = useServerForm<Record<string, string>>(formId, {
    intent: "correctAndResend",
    labels: { [correct.field]: correct.label },
    defaultValue: { [correct.field]: correct.value },
  });
  return (
    <details open={wasRefused || undefined}>
      <summary className={`${buttonClass({ variant: "plain", size: "small" })} no-marker -ml-4`}>
        <Icon name="edit" size={18} className="mr-2" />
        {correct.action}
        <span className="sr-only">, {name}</span>
      </summary>
      <ActionForm
        operation="correctAndResend"
        enter="nothing"
        place={formId}
        item={`messageId:${id}`}
        action={here}
        preventScrollReset
        of={form}
        opened={opened}
        className="stack-s mt-1 p-3 border border-line rounded-panel bg-ground"
      >
        <ErrorSummary {...summary("Det kunne ikke gemmes.")} />
        <div className="fields-row">
          <TextField
            field={fields[correct.field]!}
            label={correct.label}
            type={correct.field === "patientEmail" ? "email" : "tel"}
            autoComplete="off"
          />
          <Button value="correctAndResend" variant="primary" size="compact">
            Gem og send igen
          </Button>
        </div>
        <p className="meta">Rettes på henvisning nr. {referralId}</p>
      </ActionForm>
    </details>
  );
}
