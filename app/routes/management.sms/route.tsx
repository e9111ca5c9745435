import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs } from "@remix-run/react";
import { WithFreedTimes } from "./freed-times";
import { uploadAppointments } from "~/features/appointments/upload-appointments.server";
import { offerTime, removeFreedTime, withdrawOffer } from "~/features/freed-times/offer-time.server";
import { readSmsPage } from "~/features/sms-page/read-sms-page.server";
import { filterSms } from "~/features/sms-threads/filter-sms.server";
import { defaultSmsSort, smsColumns, smsFilters } from "~/features/sms-threads/sms-columns";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { DataTable } from "~/lists/data-table";
import { FilterPanel } from "~/lists/filter-panel";
import { readListQuery } from "~/lists/list-query";
import { ListHead } from "~/lists/list-head";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { columns } from "./columns";
import { QueueLine } from "./queue-line";
import { UploadPart } from "./upload-part";
import { useSmsPage } from "./use-sms-page";

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
