import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { PageHead, StickyBar } from "~/components/page-frame/page-frame";
import type { QueueItem } from "~/ui/lists/queue-line";
import { Outlet, useLoaderData, useLocation } from "@remix-run/react";
import { CallUpPanel, presentCallUp } from "~/components/call-up/call-up-panel";
import { failureQueue } from "~/components/failures/failure-queue";
import { CaveMarks } from "~/components/cave/cave-marks";
import { PickPage, usePicked } from "~/components/picked-rows/picked-rows";
import { cprColumn, numberColumn } from "~/components/referral-columns/referral-columns";
import {
  callUpByPhone,
  updateCallUp,
  sendAnotherCallUp,
  sendCallUp,
  sendCallUpAndOpenNext,
  withdrawCallUp,
} from "~/features/call-ups/send-call-up.server";
import { callUpColumns, callUpView } from "~/features/call-ups/call-up-list";
import { listCallUps, filterCallUps } from "~/features/call-ups/call-up-list.server";
import { askCallUps, withdrawCallUps } from "~/features/call-ups/call-up-many.server";
import { callUpStatuses } from "~/features/call-ups/call-up-states";
import { makeLetterBatch } from "~/features/letter-batches/make-letter-batch.server";
import { callUpWays } from "~/features/patient-messages/ways";
import { callUpState, callUpTypeLabel } from "~/features/referrals/details/sent-items";
import { facts, factText } from "~/features/referrals/model/facts";
import { OTHER_NAME } from "~/features/referrals/model/name-question";
import { UNKNOWN_TREATMENT } from "~/features/referrals/model/referral";
import { statusLook, visibleLabel } from "~/features/referrals/model/status";
import { ActionForm, IntentButton } from "~/http/forms/action-form";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { presentFilter } from "~/lists/filters";
import { readListQuery, type Here, hereOf } from "~/lists/list";
import { ListPage, OpenName, openColumn } from "~/components/list/list-page";
import { paths } from "~/paths";
import { atTime, showDate, showDay, showShortDateTime, showTime } from "~/text/dates";
import { twoDigits } from "~/text/numbers";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { StateText, Tag } from "~/ui/lists/chip";
import { NOT_RESTORED } from "~/ui/forms/field";

type Values = PageOf<typeof listCallUps>;
type Row = Values["rows"][number];
type CallUpRow = ReturnType<typeof presentRow>;

function presentCallUps(list: Values) {
  const statusChoices = callUpStatuses.map(({ value }) => ({ value, label: visibleLabel(value, list) }));
  const openRow = list.rows.find(({ id }) => id === list.open?.referralId);
  return {
    ...list,
    ...presentFilter(callUpView.filters, list, statusChoices),
    statusChoices,
    queues: list.queues.map((queue) => ({ ...queue, label: queueLabels[queue.kind] ?? "" })),
    openId: list.open?.referralId ?? null,
    open: list.open && openRow ? { ...presentCallUp(list.open), facts: factsOf(openRow, list.open) } : null,
    rows: list.rows.map((row) => presentRow(row, list)),
  };
}

const queueLabels: Partial<Record<Values["queues"][number]["kind"], string>> = {
  urgent: "visiteret haster",
  readyForCallUp: "klar til indkaldelse",
};

const presentRow = (row: Row, settings: { status16Label: string }) => {
  const { tone, icon } = statusLook(row.status);
  return {
    ...row,
    cpr: row.cpr ?? "–",
    date: showDate(row.createdAt),
    status: { label: visibleLabel(row.status, settings), tone, icon },
    callUpType: row.callUpType === null ? "" : callUpTypeLabel(row.callUpType),
    callUpAt: row.callUpAt === null ? "" : `${showDate(row.callUpAt)} ${showTime(row.callUpAt)}`,
    callUpState: row.callUpStatus === null ? null : callUpState(row.callUpStatus),
  };
};

function factsOf(row: Row, open: NonNullable<Values["open"]>) {
  const { operation } = row;
  const treatment = open.treatmentTypeId === UNKNOWN_TREATMENT ? "Ukendt behandling" : open.treatment;
  return [
    {
      label: "Operationsdato",
      value:
        operation &&
        `${showDay(operation.date)}${operation.hour === null ? "" : ` ${atTime(`${twoDigits(operation.hour)}:${twoDigits(operation.minute)}`)}`}`,
    },
    { label: "Behandling", value: treatment },
    { label: facts.teeth.label, value: factText("teeth", open.teeth) },
    { label: "Sidst ændret", value: [showShortDateTime(row.modifiedAt), row.modifierName].filter(Boolean).join(", ") },
  ];
}

function columns(openId: number | null, here: Here): Column<CallUpRow>[] {
  const [number, cpr, name, date, status, type, at, state] = callUpColumns;
  return [
    {
      label: "Vælg",
      head: <PickPage />,
      isLabelHidden: true,
      className: "c-pick",
      cell: ({ id }) => (
        <label className="hit">
          <input
            {...NOT_RESTORED}
            type="checkbox"
            className="box"
            form="mass"
            name="pick"
            value={id}
            aria-label={`Vælg nr. ${id}`}
          />
        </label>
      ),
    },
    numberColumn(number),
    cprColumn(cpr),
    {
      label: name.label,
      sort: name,
      className: "c-first",
      isRowHeader: true,
      cell: (row) => (
        <>
          <OpenName row={row} openId={openId} here={here} /> {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
          {row.isUrgent && (
            <span className="chip tone-urgent c-haste" title="Haste henvisning">
              Haster
            </span>
          )}
          <CaveMarks marks={row.cave} />
          {row.marks.map(({ text }) => (
            <span key={text} className="chip tone-warn font-normal">
              {text}
            </span>
          ))}
          {row.hasOtherName && (
            <span className="chip tone-warn font-normal" title={OTHER_NAME}>
              Andet navn
            </span>
          )}
        </>
      ),
    },
    { label: date.label, sort: date, cell: (row) => row.date },
    {
      label: status.label,
      sort: status,
      isPlain: true,
      cell: (row) => <StateText state={row.status} className="table:min-w-[165px]" />,
    },
    { label: type.label, sort: type, cell: (row) => row.callUpType },
    { label: at.label, sort: at, className: "whitespace-nowrap", cell: (row) => row.callUpAt },
    {
      label: state.label,
      sort: state,
      isPlain: true,
      cell: (row) => (
        <>
          {row.callUpState && <StateText state={row.callUpState} />}
          {row.hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    openColumn(openId, here),
  ];
}

function MassBar({ isReading }: { isReading: boolean }) {
  const { picked } = usePicked();
  const isHydrated = useHydrated();
  if (isHydrated ? picked === 0 : isReading) return null;
  return (
    <StickyBar label="Indkald de valgte" still={!isHydrated} className={isHydrated ? undefined : "scripts:hidden"}>
      <ActionForm id="mass" autoComplete="off" operation="askCallUps" action={paths.callUps} className="row">
        {isHydrated && <b>{picked === 1 ? "1 valgt" : `${picked} valgte`}</b>}
        <SelectField
          name="incallType"
          id="mass-type"
          label="Send som"
          labelHidden
          choices={callUpWays}
          defaultValue="3"
        />
        <Button value="askCallUps" icon="call-up" size="compact">
          Indkald de valgte …
        </Button>
      </ActionForm>
    </StickyBar>
  );
}

function QueuedNotice({ ids, withdrawable }: { ids: readonly number[]; withdrawable: number }) {
  return (
    <Notice
      kind="success"
      live
      action={
        withdrawable > 0 && (
          <ActionForm operation="withdrawCallUps" action={paths.callUps}>
            <input type="hidden" name="nr" value={ids.join("-")} />
            <Button value="withdrawCallUps" size="small" icon="undo">
              Fortryd
            </Button>
          </ActionForm>
        )
      }
    >
      {ids.length === 1 ? "1 indkaldelse er sat i kø." : `${ids.length} indkaldelser er sat i kø.`}
      {withdrawable < ids.length &&
        (withdrawable === 0 ? " De kan ikke fortrydes længere." : ` ${withdrawable} kan fortrydes endnu.`)}
    </Notice>
  );
}

interface LetterToolsProps {
  letters: { waiting: number; liveBatches: number };
}

function LetterTools({ letters: { waiting, liveBatches } }: LetterToolsProps) {
  const { pathname } = useLocation();
  const isOpen = pathname === paths.letterArchive;
  return (
    <div className="row !ml-0">
      <ActionForm operation="makeLetterBatch" action={paths.callUps}>
        <IntentButton value="makeLetterBatch" size="small" icon="print" disabled={waiting === 0}>
          Dan brevbunke nu ({waiting})
        </IntentButton>
      </ActionForm>
      <ButtonLink
        to={isOpen ? paths.callUps : paths.letterArchive}
        variant="plain"
        size="small"
        icon="table"
        iconAfter={isOpen ? "up" : "down"}
        aria-expanded={isOpen}
        className="-mr-[11px]"
      >
        {liveBatches === 0 ? "Arkiv" : `Arkiv (${liveBatches} ikke udskrevet)`}
      </ButtonLink>
    </div>
  );
}

const queueItems = ({ queues, failures }: ReturnType<typeof presentCallUps>): QueueItem[] => [
  ...queues.map(({ kind, count, label, f }) => ({
    key: kind,
    count,
    label,
    to: `${paths.callUps}?f=${encodeURIComponent(f)}`,
    isRed: kind === "urgent",
  })),
  ...failureQueue(failures),
];

export const meta = pageTitle("Indkald");

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    listCallUps,
    { ...readListQuery(args.request), queued: queuedIn(args.request) },
    {
      forms: { sendCallUp },
      subject: ({ open }) =>
        open ? { fields: { referralId: open.referralId }, versions: { version: open.version } } : {},
    },
  );

const queuedIn = (request: Request) => new URL(request.url).searchParams.get("indkaldt");

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterCallUps,
    sendCallUp,
    sendCallUpAndOpenNext,
    sendAnotherCallUp,
    updateCallUp,
    callUpByPhone,
    withdrawCallUp,
    makeLetterBatch,
    askCallUps,
    withdrawCallUps,
  });

export default function CallUps() {
  const list = presentCallUps(useLoaderData<typeof loader>());
  const { f, sort, page, start: fra, openId } = list;
  const here = hereOf(paths.callUps, { f, sort, page, fra, aaben: openId });
  const next = list.rows[list.rows.findIndex(({ id }) => id === openId) + 1];
  return (
    <>
      <PageHead
        title="Indkald"
        tools={list.letters && <LetterTools letters={list.letters} />}
        queue={queueItems(list)}
      />
      <Outlet />
      {list.queued && <QueuedNotice {...list.queued} />}
      <ListPage
        view={callUpView}
        list={list}
        here={here}
        choices={{ referrers: list.referrers, statuses: list.statusChoices, tickedStatuses: list.statuses }}
        caption="Indkaldelser"
        one="henvisning"
        many="henvisninger"
        wide
        columns={columns(openId, here)}
        empty={{
          why: "Her kommer patienter, der skal indkaldes. Listen viser kun de valgte statusser.",
          action: <a href={paths.overview}>Se oversigten</a>,
        }}
        openId={openId}
        open={
          list.open && (
            <CallUpPanel
              key={list.open.referralId}
              callUp={list.open}
              facts={list.open.facts}
              here={here({})}
              next={next && `${here({ aaben: next.id })}#r${next.id}`}
            />
          )
        }
      />
      {list.rows.length > 0 && <MassBar isReading={openId !== null} />}
    </>
  );
}
