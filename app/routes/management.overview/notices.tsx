import { useRouteLoaderData } from "@remix-run/react";
import type { ReactNode } from "react";
import { AppointmentDrop, dropLine } from "~/components/appointment-upload/appointment-drop";
import { failureQueue } from "~/components/failures/failure-queue";
import { buildListQuery, statusesOf } from "~/components/overview-list/overview-list";
import type { EdiWaiting } from "~/features/edi/list/edi-waiting.server";
import { awaitingText } from "~/features/referrals/model/missing-texts";
import { ActionForm } from "~/http/forms/action-form";
import { paths } from "~/paths";
import { showDateTime } from "~/text/dates";
import { showCount } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { TextField } from "~/ui/forms/fields";
import { Icon } from "~/ui/icons/icon";
import { Disclosure } from "~/ui/layout/disclosure";
import { Verbatim } from "~/ui/layout/translation";
import { StateText } from "~/ui/lists/chip";
import type { QueueItem } from "~/ui/lists/queue-line";
import type { ShownList } from "./present";

export const useEdiWaiting = () =>
  useRouteLoaderData<{ ediWaiting: EdiWaiting }>("routes/management")?.ediWaiting ?? null;

function ediQueue(waiting: EdiWaiting): QueueItem[] {
  if (!waiting || waiting.count === 0) return [];
  const { count, urgentCount } = waiting;
  return [
    {
      key: "edi",
      count,
      label: count === 1 ? "EDI-brev skal afgøres" : "EDI-breve skal afgøres",
      to: paths.ediToDecide,
      staysInLine: true,
      ...(urgentCount > 0 && {
        isRed: true,
        icon: "urgent" as const,
        note: `, ${urgentCount} haster`,
      }),
    },
  ];
}

/** The first lines of urgent letters that nobody has decided yet; never folded with other reminders. */
export function UrgentLetters() {
  const waiting = useEdiWaiting();
  return (
    <>
      {waiting?.urgent.map(({ id, priority, firstLine, sender }) => (
        <Notice key={id} kind="error" title={`EDI-brev, ${priority ?? "haster"}, er ikke afgjort.`}>
          {firstLine && <Verbatim>{firstLine}</Verbatim>}{" "}
          {sender && (
            <>
              {firstLine ? "– fra" : "Fra"} {sender}.{" "}
            </>
          )}
          <a href={`${paths.ediToDecide}#edi${id}`}>Afgør brevet</a>
        </Notice>
      ))}
    </>
  );
}

/** Urgent drafts of a referrer, which nobody at the clinic knows of. */
export function UrgentDrafts({ urgent }: Pick<ShownList["awaiting"], "urgent">) {
  if (urgent.length === 0) return null;
  return (
    <Notice kind="warn" title="Haster, men er ikke sendt:">
      {urgent.map(({ id, name, begunAt, step }, index) => (
        <span key={id}>
          {index > 0 && " · "}
          <a href={paths.wizardStep(id, step)}>
            <Verbatim>{name}</Verbatim>
          </a>
          , begyndt {showDateTime(begunAt)}
        </span>
      ))}
    </Notice>
  );
}

export const queueItems = ({ queues, failures }: ShownList, ediWaiting: EdiWaiting): QueueItem[] => [
  ...queues.map(({ kind, look, label, count, oldestDays, f, sort }) => ({
    key: kind,
    count,
    label,
    to: look.page ?? `${paths.overview}?${buildListQuery({ f, sort }, look.opensFirst ? { aabn: "first" } : {})}`,
    ...(look.icon && { isRed: true, icon: look.icon }),
    ...(look.saysAge &&
      oldestDays && { note: `, ældste ${oldestDays === 1 ? "1 dag" : `${showCount(oldestDays)} dage`}` }),
  })),
  ...ediQueue(ediWaiting),
  ...failureQueue(failures),
];

interface Reminder {
  brief: string;
  notice: ReactNode;
}

/** The upload line for the day's file and the list's reminders: one notice, or one line that folds several. */
export function Reminders({ list, here }: { list: ShownList; here: string }) {
  const missingFile = useRouteLoaderData<{ missingAppointmentFile: "awaited" | "late" | null }>(
    "routes/management",
  )?.missingAppointmentFile;
  const { callUps, awaiting, setUpMissing } = list;
  const waiting = callUps?.counts.reduce((sum, { count }) => sum + count, 0) ?? 0;
  const reminders: (Reminder | null | false | undefined)[] = [
    callUps && {
      brief: waiting === 1 ? "1 indkaldelse venter" : `${showCount(waiting)} indkaldelser venter`,
      notice: <CallUpNotice key="callUps" callUps={callUps} sort={list.sort} here={here} />,
    },
    awaiting.drafts.length > 0 && {
      brief: awaiting.hasMore ? "flere er ikke sendt endnu" : `${awaiting.drafts.length} er ikke sendt endnu`,
      notice: <AwaitingDraftsNotice key="drafts" awaiting={awaiting} />,
    },
    setUpMissing > 0 && {
      brief: `${setUpMissing} mangler i opsætningen`,
      notice: (
        <Notice key="setUp">
          <a href={paths.setUp}>{setUpMissing} mangler i opsætningen</a>
        </Notice>
      ),
    },
  ];
  const shown = reminders.filter((each): each is Reminder => Boolean(each));
  const isLate = missingFile === "late";
  const drop = missingFile && (
    <AppointmentDrop
      label={`Dagens patienttider${isLate ? " mangler" : ""}:`}
      className={isLate ? "border-warn-frame bg-warn-bg" : dropLine}
    />
  );
  const notices = shown.map(({ notice }) => notice);
  if (notices.length < (drop ? 1 : 2)) return <>{drop || notices}</>;
  return (
    <div className="with-drop">
      {drop}
      <details className="reminders">
        <summary className="no-marker">
          <Icon name="clock" />
          <span className="min-w-0 phone:truncate">
            <b>Husk:</b> {shown.map(({ brief }) => brief).join(" · ")}
          </span>
          <Icon name="down" />
        </summary>
        {notices}
      </details>
    </div>
  );
}

function AwaitingDraftsNotice({ awaiting: { drafts, hasMore } }: Pick<ShownList, "awaiting">) {
  return (
    <Notice kind="info" icon="upload" title="Ikke sendt endnu.">
      {drafts.map(({ id, name, files }, index) => (
        <span key={id}>
          {index > 0 && " · "}
          <a href={paths.wizardStep(id, 3)}>{name}</a>: {awaitingText(files).toLowerCase()}
        </span>
      ))}
      {hasMore && (
        <>
          {" · "}
          <a href={paths.drafts}>flere</a>
        </>
      )}
    </Notice>
  );
}

interface CallUpNoticeProps {
  callUps: NonNullable<ShownList["callUps"]>;
  sort: string;
  here: string;
}

function CallUpNotice({ callUps: { days, counts }, sort, here }: CallUpNoticeProps) {
  return (
    <Notice
      kind="warn"
      title="Indkaldelser, der venter."
      action={
        <ActionForm operation="closeCallUpStats" action={here}>
          <Button value="closeCallUpStats" size="small">
            Luk
          </Button>
        </ActionForm>
      }
    >
      {`Mere end ${days} dage siden: `}
      {counts.map(({ label, count, f }, index) => (
        <span key={label}>
          {index === counts.length - 1 ? ". Forsøgt kontaktet " : index > 0 ? ", " : ""}
          <a href={`${paths.overview}?${buildListQuery({ f, sort })}`}>{`${label} (${showCount(count)})`}</a>
        </span>
      ))}
      .
    </Notice>
  );
}

export function StatusMeanings({ list }: { list: ShownList }) {
  return (
    <Disclosure title="Hvad betyder statusserne?" quiet className="mt-3 print:hidden">
      <dl className="max-w-[960px] [&>div]:py-1.5 [&>div+div]:border-t [&>div+div]:border-line">
        {statusesOf(list).map(({ value, label, tone, icon, meaning }) => (
          <div key={value} className="table:grid table:grid-cols-[360px_1fr]">
            <dt>
              <StateText state={{ label, tone, icon }} />
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </Disclosure>
  );
}

const referrals = (count: number) => (count === 1 ? "1 henvisning" : `${showCount(count)} henvisninger`);
const numbers = (ids: number[]) => `Nr. ${ids.slice(0, 50).join(", ")}${ids.length > 50 ? " …" : ""}`;

export function MassChangeNotice({ list, here }: { list: ShownList; here: string }) {
  if (!list.massChange) return null;
  const { id, changed, statusLabel, leftOut, unseen, isUndone } = list.massChange;
  const undo = (
    <ActionForm operation="undoStatuses" action={here} preventScrollReset>
      <input type="hidden" name="massChangeId" value={id} />
      <Button value="undoStatuses" size="small" icon="undo">
        Fortryd
      </Button>
    </ActionForm>
  );
  const restored = changed - leftOut.length;
  const skipped = leftOut.length + unseen.length;
  const title = isUndone ? "Fortrudt." : changed > 0 ? "Status er skiftet." : "Ingen status er skiftet.";
  const outcome = isUndone
    ? `${referrals(restored)} har igen den status, ${restored === 1 ? "den" : "de"} havde.`
    : changed > 0
      ? `${referrals(changed)} er nu ${statusLabel}.`
      : skipped === 0 && `De valgte er allerede ${statusLabel}.`;
  return (
    <Notice
      kind={skipped > 0 ? "warn" : isUndone || changed === 0 ? "info" : "success"}
      title={title}
      action={isUndone || changed === 0 ? undefined : undo}
    >
      {outcome}
      {leftOut.length > 0 && ` ${numbers(leftOut)} er ændret imens og er sprunget over.`}
      {unseen.length > 0 && !isUndone && <UntriagedOnes massChange={list.massChange} here={here} />}
    </Notice>
  );
}

interface UntriagedOnesProps {
  massChange: NonNullable<ShownList["massChange"]>;
  here: string;
}

/** Urgent ones that nobody has triaged, which a mass change ends only where they are chosen one by one. */
function UntriagedOnes({ massChange: { status, statusLabel, unseen }, here }: UntriagedOnesProps) {
  return (
    <ActionForm operation="setStatuses" place="untriaged" action={here} className="mt-2 mb-1" autoComplete="off">
      <input type="hidden" name="status" value={status} />
      <input type="hidden" name="wasAsked" value="on" />
      <fieldset>
        <legend className="font-semibold mb-1">
          {unseen.length === 1 ? "1 haster" : `${unseen.length} haster`} og er ikke visiteret, og er sprunget over. Vælg{" "}
          {unseen.length === 1 ? "den" : "dem"}, der alligevel skal have status {statusLabel}:
        </legend>
        {unseen.map(({ id, version, name }) => (
          <Checkbox
            key={id}
            name="pick"
            value={`${id}:${version}`}
            label={
              <>
                Nr. {id} <Verbatim>{name}</Verbatim>
              </>
            }
          />
        ))}
      </fieldset>
      <div className="max-w-[480px] my-2">
        <TextField id="untriaged-reason" name="reason" label="Begrundelse" maxLength={300} />
      </div>
      <Button value="setStatuses">Sæt status på de valgte</Button>
    </ActionForm>
  );
}
