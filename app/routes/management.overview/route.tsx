import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useActionData, useLoaderData, useLocation, useParams, useRouteLoaderData } from "@remix-run/react";
import { applyFilter } from "~/features/referrals/apply-filter.server";
import { closeCallUpStats } from "~/features/referrals/call-up-stats.server";
import { PAGE_SIZE } from "~/features/referrals/filters";
import { listReferrals } from "~/features/referrals/list-referrals.server";
import { moreFilters } from "~/features/referrals/more-filters.server";
import { searchReferrers } from "~/features/referrals/save-referrer.server";
import { setStatus } from "~/features/referrals/set-status.server";
import { setAllStatuses, setStatuses, undoStatuses } from "~/features/referrals/set-statuses.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { EmptyState } from "~/ui/empty-state";
import { Notice } from "~/ui/notice";
import { PageHead } from "~/ui/page-frame";
import { Pager } from "~/ui/pager";
import { AppointmentNotice } from "./appointment-notice";
import { ExportTools } from "./export-tools";
import { FilterPanel } from "./filter-panel";
import { MassBar } from "./mass-bar";
import { CallUpNotice, MassChangeNotice, QueueLine } from "./notices";
import { pageQuery } from "./overview-list";
import { ReferralTable } from "./referral-table";
import { type ShellMemory, rowOutcome, useLastSent } from "./row-outcome";

export const meta = pageTitle("Oversigt");

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  return runPage(args, listReferrals, {
    f: query.get("f"),
    sort: query.get("sort"),
    page: query.get("page"),
    anchor: query.get("after"),
    anchorPage: query.get("from"),
    open: query.get("aabn"),
    massChange: query.get("skiftet"),
    more: query.get("flere"),
  });
};

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { applyFilter, moreFilters, searchReferrers, setStatus, setStatuses, setAllStatuses, undoStatuses, closeCallUpStats });

export default function Overview() {
  const list = useLoaderData<typeof loader>();
  const answer = useActionData<typeof action>();
  const sent = useLastSent();
  const shell = useRouteLoaderData<ShellMemory>("routes/management");
  const { visitId } = useParams();
  const { pathname, search } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const here = `${paths.overview}${search}`;
  const first = (list.page - 1) * PAGE_SIZE + 1;
  const isElsewhere = openId !== null && !list.rows.some(([id]) => id === openId);
  const isQuestion = openId === null && pathname !== paths.overview;
  const pager = (label: string) => <Pager page={list.page} pageCount={list.pageCount} href={(page) => `${paths.overview}?${pageQuery(list, page)}`} label={label} />;
  const errors = answer?.submission?.status === "error" && answer.formId !== "applyFilter" ? answer.submission.error : null;
  // Of a row or the mass bar; what is wrong with a field of theirs nobody has typed, and stands there as well.
  const refused = errors && (errors[""] ?? Object.values(errors).flatMap((texts) => texts ?? []));

  return (
    <>
      {isQuestion && <Outlet />}
      <PageHead title={list.isStaff ? "Oversigt" : "Oversigt over henvisninger"} queue={list.queues.length > 0 && <QueueLine list={list} />} tools={list.isStaff && <ExportTools />} />
      <div className="notices">
        {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
        {list.isAtEnd && (
          <Notice kind="info" live>
            Der er ikke flere henvisninger i den retning i listen.
          </Notice>
        )}
        {refused && (
          <Notice kind="error" live>
            {refused.join(" ")}
          </Notice>
        )}
        <AppointmentNotice />
        <MassChangeNotice list={list} here={here} />
        <CallUpNotice list={list} here={here} />
      </div>
      <FilterPanel list={list} isFolded={openId !== null} />
      <div className="list-head">
        <p className="m-0" aria-live="polite">
          <b>{list.total === 1 ? "1 henvisning" : `${showCount(list.total)} henvisninger`}</b>
          {list.rows.length > 1 && <span className="meta">{` · viser ${showCount(first)}–${showCount(first + list.rows.length - 1)}`}</span>}
        </p>
        <div className="push">{pager("Sider, øverst")}</div>
      </div>
      {isElsewhere && (
        <div className="panel open-panel">
          <Outlet />
        </div>
      )}
      {list.rows.length === 0 ? (
        <EmptyState why="Ingen henvisninger passer til filtrene." action={<a href={paths.overview}>Reset filtre</a>} />
      ) : (
        <ReferralTable list={list} openId={openId} search={search} here={here} outcome={rowOutcome(answer, shell, sent)} />
      )}
      <div className="list-foot">{pager("Sider, nederst")}</div>
      {list.isStaff && <MassBar list={list} here={here} isReading={openId !== null} />}
    </>
  );
}
