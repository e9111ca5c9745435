import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { AppointmentUpload } from "~/components/appointment-upload/appointment-upload";
import { uploadAppointments } from "~/features/appointments/operations.server";
import { offerTime, removeFreedTime, withdrawOffer } from "~/features/freed-times/offer-time.server";
import { readSmsPage } from "./data.server";
import { filterSms } from "~/features/sms-threads/operations.server";
import { defaultSmsSort, smsColumns, smsFilters } from "~/features/sms-threads/sms-columns";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { ListHead } from "~/lists/list-head";
import { readListQuery } from "~/lists/list-query";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { AppointmentLog } from "./appointment-log";
import { columns } from "./columns";
import { WithFreedTimes } from "./freed-times";
import type { presentSms } from "./present";
import { useSmsPage } from "./use-sms-page";

const filtered = (f: string) => `${paths.sms}?f=${encodeURIComponent(f)}`;

type Queues = NonNullable<ReturnType<typeof presentSms>["queues"]>;

const queueLabels = [
  { key: "cancelledToday", one: "afbud i dag", many: "afbud i dag", isUrgent: true },
  { key: "possibly", one: "muligvis afbud", many: "muligvis afbud", isUrgent: true },
  { key: "unplaced", one: "ikke placeret svar", many: "ikke placerede svar" },
  { key: "unread", one: "nyt svar", many: "nye svar" },
  { key: "confirmedTomorrow", one: "har bekræftet i morgen", many: "har bekræftet i morgen" },
  { key: "unansweredTomorrow", one: "uden svar til i morgen", many: "uden svar til i morgen" },
] as const satisfies { key: keyof Queues; one: string; many: string; isUrgent?: true }[];

/** Queues and tomorrow's answers as links. */
function QueueLine({ queues }: { queues: Queues }) {
  return (
    <>
      {queueLabels.map(({ key, one, many, ...rest }) => {
        const queue = queues[key];
        const [count, to] = typeof queue === "number" ? [queue, paths.smsUnplaced] : [queue.count, filtered(queue.f)];
        return (
          count > 0 && (
            <span key={key} className={"isUrgent" in rest ? "text-urgent" : undefined}>
              <b>{count}</b> <a href={to}>{count === 1 ? one : many}</a>
            </span>
          )
        );
      })}
    </>
  );
}

interface UploadPartProps {
  list: ReturnType<typeof presentSms>;
  isLogOpen: boolean;
  toggle: string;
}

function UploadPart({ list: { upload, lastImport }, isLogOpen, toggle }: UploadPartProps) {
  return (
    <section className="panel panel-body stack mt-4" id="upload" aria-labelledby="upload-titel">
      <h2 id="upload-titel">Upload af patienttider / uploades dagligt - (bruges til at udsende sms reminders)</h2>
      <AppointmentUpload action={paths.appointmentUpload}>
        <a href={`${toggle}#upload`} className={buttonClass()} aria-expanded={isLogOpen} data-keep-scroll="">
          <Icon name="history" size={18} className="mr-2" />
          Vis log
        </a>
        {lastImport && <span className="meta">{lastImport}</span>}
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
      subject: ({ freedTimes }) => ({
        items: {
          freedTimeId: freedTimes.map(({ id }) => [id]),
          referralId: freedTimes.flatMap(({ waiting }) => waiting.map(({ referralId }) => [referralId] as const)),
        },
      }),
    },
  );

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const uploads = [uploadAppointments];

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterSms,
    offerTime,
    withdrawOffer,
    removeFreedTime,
    uploadAppointments,
  });

export default function Sms() {
  const { list, openId, isLogOpen, here, showsUnplaced } = useSmsPage();
  const pager = (label: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => here({ page, openId: null, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      label={label}
    />
  );
  return (
    <>
      <PageHead title="SMS" queue={list.queues && <QueueLine queues={list.queues} />} />
      {showsUnplaced && <Outlet />}
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={smsFilters}
        intent="filterSms"
        action={here({ openId: null })}
        resetTo={paths.sms}
        chipTo={(f) => here({ f, page: 1, fra: null, openId: null })}
        choices={{}}
        showsMore
        alwaysResets
        isFolded={openId !== null}
      />
      <WithFreedTimes times={list.freedTimes} action={here({ openId: null })} here={here({})}>
        <ListHead
          list={list}
          columns={smsColumns}
          defaultSort={defaultSmsSort}
          one="aftale"
          many="aftaler"
          action={paths.sms}
          pager={pager("Sider, øverst")}
        />
        {openId !== null && !list.rows.some(({ id }) => id === openId) && <OpenElsewhere id={openId} />}
        {list.rows.length === 0 ? (
          <EmptyState
            why="Listen viser kun tider i de valgte dage: fra i dag, når intet andet er valgt."
            action={<a href={paths.sms}>Reset filtre</a>}
          />
        ) : (
          <DataTable
            caption="SMS"
            className="name-first"
            columns={columns(openId, here)}
            rows={list.rows}
            sort={parseSort(list.sort, smsColumns, defaultSmsSort)}
            sortTo={(sort) => here({ page: 1, fra: null, sort })}
            rowClass={(row) => (row.hasLeft ? "row-on row-faded" : row.id === openId ? "row-on" : undefined)}
            open={{ id: openId, content: <Outlet /> }}
          />
        )}
        <div className="list-foot mt-3">{pager("Sider, nederst")}</div>
        <UploadPart list={list} isLogOpen={isLogOpen} toggle={here({ log: isLogOpen ? null : "1" })} />
      </WithFreedTimes>
    </>
  );
}

/** An open referral that is not on this page. */
const OpenElsewhere = ({ id }: { id: number }) => (
  <section className="panel panel-body mb-3" id={`r${id}`} aria-label={`Nr. ${id}`}>
    <h2>Nr. {id}</h2>
    <Outlet />
  </section>
);
