import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useLoaderData, useSearchParams } from "@remix-run/react";
import { WithFreedTimes } from "~/components/freed-times/freed-times";
import { SmsThread } from "~/components/sms-thread/sms-thread";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { offerTime, removeFreedTime, withdrawOffer } from "~/features/freed-times/offer-time.server";
import { undoCancellation } from "~/features/appointment-answers/undo-cancellation.server";
import { readSmsPage } from "~/features/sms-page/read-sms-page.server";
import { liftSmsStop } from "~/features/sms-stops/lift-stop.server";
import { filterSms } from "~/features/sms-threads/filter-sms.server";
import { sendSmsWithCancellation, sendSmsWithoutCancellation } from "~/features/sms-threads/send-reminder.server";
import { decideSms, markSmsRead, unplaceSms } from "~/features/sms-threads/settle-answer.server";
import { defaultSmsSort, smsColumns, smsFilters } from "~/features/sms-threads/sms-columns";
import { replySms } from "~/features/sms-threads/write-reply.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPage } from "~/http/forms/keep-page";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { listQuery } from "~/lists/list-query";
import { ListHead } from "~/lists/list-head";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { columns } from "./columns";
import { presentSms } from "./present";
import { QueueLine } from "./queue-line";
import { UploadPart } from "./upload-part";

export const meta = pageTitle("SMS");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readSmsPage, listQuery(args.request), { forms: { replySms, uploadAppointments } });

export const clientLoader = keepPage;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    filterSms,
    replySms,
    sendSmsWithCancellation,
    sendSmsWithoutCancellation,
    decideSms,
    unplaceSms,
    markSmsRead,
    liftSmsStop,
    undoCancellation,
    offerTime,
    withdrawOffer,
    removeFreedTime,
    uploadAppointments,
  });

/** Who has a time or a thread of SMS; the open row holds the thread and the ways to write in it. */
export default function Sms() {
  const list = presentSms(useLoaderData<typeof loader>());
  const isLogOpen = useSearchParams()[0].get("log") === "1";
  const here = (change: Record<string, string | number | null>) => {
    const { f, sort, page, start: fra, openId: aaben } = list;
    const next = { f, sort, page, fra, aaben, log: isLogOpen ? "1" : null, ...change };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.sms}?${new URLSearchParams(entries).toString()}`;
  };
  const pager = (label: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => here({ page, aaben: null, fra: page === 1 ? null : page > list.page ? list.end : list.start })}
      label={label}
    />
  );
  return (
    <>
      <PageHead title="SMS" queue={list.queues && <QueueLine queues={list.queues} />} />
      <Outlet />
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={smsFilters}
        intent="filterSms"
        action={here({ aaben: null })}
        resetTo={paths.sms}
        chipTo={(f) => here({ f, page: 1, fra: null, aaben: null })}
        choices={{}}
        showsMore
        alwaysResets
        isFolded={list.openId !== null}
      />
      <WithFreedTimes times={list.freedTimes} here={here({})}>
        <ListHead
          list={list}
          columns={smsColumns}
          defaultSort={defaultSmsSort}
          one="aftale"
          many="aftaler"
          action={paths.sms}
          pager={pager("Sider, øverst")}
        />
        {list.rows.length === 0 ? (
          <EmptyState action={<a href={paths.sms}>Reset filtre</a>} />
        ) : (
          <DataTable
            caption="SMS"
            className="name-first"
            columns={columns(list.openId, here)}
            rows={list.rows}
            sort={parseSort(list.sort, smsColumns, defaultSmsSort)}
            sortTo={(sort) => here({ page: 1, fra: null, sort })}
            rowClass={(row) => (row.hasLeft ? "row-on row-faded" : row.id === list.openId ? "row-on" : undefined)}
            open={{
              id: list.openId,
              content: list.open && (
                <div className="w-full min-w-0">
                  <SmsThread key={list.open.referralId} thread={list.open} here={here({})} />
                  <p className="mt-3 mb-0">
                    <a href={paths.referral(list.open.referralId)}>Åbn henvisning nr. {list.open.referralId}</a>
                  </p>
                </div>
              ),
            }}
          />
        )}
        <div className="list-foot mt-3">{pager("Sider, nederst")}</div>
        <UploadPart list={list} isLogOpen={isLogOpen} toggle={here({ log: isLogOpen ? null : "1" })} />
      </WithFreedTimes>
    </>
  );
}
