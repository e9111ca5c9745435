import type { ActionFunctionArgs, LoaderFunctionArgs, SerializeFrom } from "@remix-run/node";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useLocation,
  useParams,
  useRouteLoaderData,
  useSearchParams,
} from "@remix-run/react";
import { PageHead } from "~/components/page-frame/page-frame";
import type { QueueItem } from "~/ui/lists/queue-line";
import { Decision } from "~/components/sms-thread/sms-thread";
import { AppointmentDrop, dropLine } from "~/components/appointment-upload/appointment-drop";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { undoCancellation } from "~/features/appointment-answers/cancel-by-patient.server";
import { uploadAppointments } from "~/features/appointments/operations.server";
import { offerTime, removeFreedTime, withdrawOffer } from "~/features/freed-times/offer-time.server";
import { statusLook, visibleLabel } from "~/features/referrals/model/status";
import type { SmsReferral } from "~/features/sms-threads/operations.server";
import { smsColumns, smsView } from "~/features/sms-threads/sms-list";
import { decideSms, undoSmsDecision } from "~/features/sms-threads/settle-answer.server";
import { filterSms } from "~/features/sms-threads/sms-list.server";
import { shouldRevalidate as afterChanges } from "~/http/forms/client-page";
import { runCommand, runPage, type PageOf } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import type { Column } from "~/components/list/data-table";
import { presentFilter } from "~/lists/filters";
import { readListQuery, type Here, hereOf } from "~/lists/list";
import { ListFilter, ListRows, OpenName, openColumn } from "~/components/list/list-page";
import { paths } from "~/paths";
import { localDate, showDay, showTime } from "~/text/dates";
import { twoDigits } from "~/text/numbers";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { StatusChip, Tag } from "~/ui/lists/chip";
import { AppointmentLog } from "./appointment-log";
import { readSmsPage } from "./data.server";
import { WithFreedTimes } from "./freed-times";
import { lastImportText } from "./present-files";
import { presentFreedTimes } from "./present-freed-times";

type Values = PageOf<typeof readSmsPage>;
type Row = Values["rows"][number];
type Opened = NonNullable<SerializeFrom<SmsReferral>["referral"]>;
type SmsRow = ReturnType<typeof presentRow>;

const presentSms = (list: Values, opened: Opened | null) => ({
  ...list,
  ...presentFilter(smsView.filters, list),
  queues: hasQueue(list.queues) ? list.queues : null,
  rows: list.rows.map((row) => presentRow({ ...row, ...(row.id === opened?.id ? opened : {}) }, list)),
  freedTimes: presentFreedTimes(list.freedTimes),
  lastImport: lastImportText(list.upload.files),
});

const hasQueue = (queues: Values["queues"]) =>
  queues !== null && Object.values(queues).some((queue) => (typeof queue === "number" ? queue : queue.count) > 0);

function presentRow(row: Row, settings: { status16Label: string; today: string }) {
  const thisYear = settings.today.slice(0, 4);
  const dayOf = (date: string) => (date.startsWith(thisYear) ? showDay(date).slice(0, 6) : showDay(date));
  const { tone, icon } = statusLook(row.status);
  const { operation } = row;
  return {
    ...row,
    cpr: row.cpr ?? "–",
    time:
      operation === null
        ? ""
        : `${dayOf(operation.date)}${operation.hour === null ? "" : ` ${twoDigits(operation.hour)}.${twoDigits(operation.minute)}`}`,
    cancelledAt:
      row.cancelledAt === null ? "" : `${dayOf(localDate(new Date(row.cancelledAt)))} ${showTime(row.cancelledAt)}`,
    isCancelled: row.hasCancellationMessage || row.cancelledAt !== null,
    status: { label: visibleLabel(row.status, settings), tone, icon },
  };
}

function columns(openId: number | null, here: Here): Column<SmsRow>[] {
  const [name, time, cancelled] = smsColumns;
  return [
    { label: "Nr.", isVerbatim: true, isPlain: true, isNumber: true, cell: ({ id }) => id },
    { label: "CPR-nummer", isVerbatim: true, className: "whitespace-nowrap", isPlain: true, cell: ({ cpr }) => cpr },
    {
      label: name.label,
      sort: name,
      className: "c-first table:min-w-[126px]",
      isRowHeader: true,
      cell: (row) => (
        <>
          <OpenName row={row} openId={openId} here={here} /> {row.isTest && <Tag title="Testhenvisning">TEST</Tag>}
        </>
      ),
    },
    {
      label: time.label,
      sort: time,
      className: "whitespace-nowrap",
      cell: ({ time: at, isConfirmed }) => (
        <>
          {at}
          {isConfirmed && (
            <span className="inline-flex items-center ml-1 text-ok text-[13px] leading-4 font-semibold align-bottom">
              <Icon name="done" size={16} className="mr-0.5" />
              Bekræftet
            </span>
          )}
        </>
      ),
    },
    { label: cancelled.label, sort: cancelled, className: "whitespace-nowrap", cell: (row) => row.cancelledAt },
    {
      label: "Antal beskeder",
      head: (
        <>
          Antal <br className="phone:hidden" />
          beskeder
        </>
      ),
      isNumber: true,
      cell: ({ messageCount }) => messageCount || "",
    },
    {
      label: "Afbud",
      className: "table:text-center",
      cell: ({ isCancelled }) =>
        isCancelled && (
          <span className="text-err" title="Afbud">
            <Icon name="cancelled-time" />
            <span className="sr-only">Afbud</span>
          </span>
        ),
    },
    {
      label: "Henvis. status",
      isPlain: true,
      className: "table:max-w-[156px] table:[&_.cut]:max-w-[100px]",
      cell: ({ status, hasLeft }) => (
        <>
          <StatusChip status={status} cut />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    openColumn(openId, here),
  ];
}

function useSmsPage() {
  const { visitId } = useParams();
  const { pathname } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const opened = useRouteLoaderData<SerializeFrom<SmsReferral>>("routes/management.sms.$visitId");
  const list = presentSms(useLoaderData<typeof loader>(), opened?.referral ?? null);
  const isLogOpen = useSearchParams()[0].get("log") === "1";
  const { f, sort, page, start: fra } = list;
  const here: Here = ({ aaben = openId, ...change }) =>
    hereOf(aaben === null ? paths.sms : paths.smsThread(Number(aaben)), {
      f,
      sort,
      page,
      fra,
      log: isLogOpen ? "1" : null,
    })(change);
  return { list, openId, isLogOpen, here, showsUnplaced: pathname === paths.smsUnplaced };
}

const filtered = (f: string) => `${paths.sms}?f=${encodeURIComponent(f)}`;

type Queues = NonNullable<ReturnType<typeof presentSms>["queues"]>;

const queueLabels = [
  { key: "alarming", one: "svar skal læses først", many: "svar skal læses først", isUrgent: true },
  { key: "cancelledToday", one: "afbud i dag", many: "afbud i dag", isUrgent: true },
  { key: "possibly", one: "muligvis afbud", many: "muligvis afbud", isUrgent: true },
  { key: "unplaced", one: "ikke placeret svar", many: "ikke placerede svar" },
  { key: "unread", one: "nyt svar", many: "nye svar" },
  { key: "confirmedTomorrow", one: "har bekræftet i morgen", many: "har bekræftet i morgen" },
  { key: "unansweredTomorrow", one: "uden svar til i morgen", many: "uden svar til i morgen" },
] as const satisfies { key: keyof Queues; one: string; many: string; isUrgent?: true }[];

const queueItems = (queues: Queues): QueueItem[] =>
  queueLabels.flatMap(({ key, one, many, ...rest }) => {
    const queue = queues[key];
    const [count, to] = typeof queue === "number" ? [queue, paths.smsUnplaced] : [queue.count, filtered(queue.f)];
    const urgent = "isUrgent" in rest && { isRed: true, icon: "cancelled-time" as const };
    return count === 0 ? [] : [{ key, count, label: count === 1 ? one : many, to, ...urgent }];
  });

interface UploadPartProps {
  list: ReturnType<typeof presentSms>;
  isLogOpen: boolean;
  toggle: string;
}

function UploadPart({ list: { upload }, isLogOpen, toggle }: UploadPartProps) {
  return (
    <section className="panel panel-body stack mt-4 print:hidden" id="upload" aria-labelledby="upload-titel">
      <h2 id="upload-titel">Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)</h2>
      <AppointmentUpload action={paths.appointmentUpload}>
        <a href={`${toggle}#upload`} className={buttonClass()} aria-expanded={isLogOpen} data-keep-scroll="">
          <Icon name="history" size={18} className="mr-2" />
          Vis log
        </a>
      </AppointmentUpload>
      {isLogOpen && <AppointmentLog files={upload.files} />}
    </section>
  );
}

export const meta = pageTitle("SMS");

const reminders: unknown[] = ["sendSmsWithCancellation", "sendSmsWithoutCancellation"];

/** A reminder changes one referral, which reloads itself; the list reloads when it is closed. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) => {
  if (reminders.includes(args.formData?.get("intent"))) return false;
  const wasOpen = args.currentParams.visitId;
  return afterChanges(args) || (wasOpen !== undefined && wasOpen !== args.nextParams.visitId);
};

export const loader = (args: LoaderFunctionArgs) =>
  runPage(
    args,
    readSmsPage,
    { ...readListQuery(args.request), openId: args.params.visitId ?? null },
    {
      forms: { uploadAppointments },
      subject: ({ freedTimes, rows }) => ({
        items: {
          answerId: rows.flatMap(({ undecided }) => undecided.map(({ id }) => [id] as const)),
          freedTimeId: freedTimes.map(({ id }) => [id]),
          referralId: freedTimes.flatMap(({ waiting }) => waiting.map(({ referralId }) => [referralId] as const)),
        },
      }),
    },
  );

export { clientAction, clientLoader } from "~/http/forms/client-page";

export const uploads = [uploadAppointments];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterSms,
    decideSms,
    undoSmsDecision,
    undoCancellation,
    offerTime,
    withdrawOffer,
    removeFreedTime,
    uploadAppointments,
  });

export default function Sms() {
  const { list, openId, isLogOpen, here, showsUnplaced } = useSmsPage();
  return (
    <>
      <PageHead title="SMS" queue={list.queues ? queueItems(list.queues) : []} />
      {showsUnplaced && <Outlet />}
      <AppointmentDrop label="Dagens patienttider:" className={dropLine}>
        {list.lastImport && <span className="meta mx-3">{list.lastImport}</span>}
      </AppointmentDrop>
      <ListFilter view={smsView} list={list} here={here} isFolded={openId !== null} />
      <WithFreedTimes times={list.freedTimes} action={here({ aaben: null })} here={here({})}>
        <ListRows
          view={smsView}
          list={list}
          here={here}
          caption="SMS"
          one="aftale"
          many="aftaler"
          columns={columns(openId, here)}
          empty={{ why: "Her kommer patienter, der har en tid fra i dag. Tiderne læses ind fra filen ovenfor." }}
          above={openId !== null && !list.rows.some(({ id }) => id === openId) && <OpenElsewhere id={openId} />}
          below={({ undecided }) =>
            undecided.length > 0 &&
            undecided.map((answer) => (
              <div key={answer.id} className="row">
                <span className="min-w-0 break-anywhere">»{answer.text}«</span>
                <Decision answer={answer} here={here({})} />
              </div>
            ))
          }
          openId={openId}
          open={<Outlet />}
          alwaysResets
        />
        <UploadPart list={list} isLogOpen={isLogOpen} toggle={here({ log: isLogOpen ? null : "1" })} />
      </WithFreedTimes>
    </>
  );
}

const OpenElsewhere = ({ id }: { id: number }) => (
  <section className="panel panel-body mb-3" id={`r${id}`} aria-label={`Nr. ${id}`}>
    <h2>Nr. {id}</h2>
    <Outlet />
  </section>
);
