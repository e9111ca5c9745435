import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, useActionData, useLoaderData, useLocation, useParams } from "@remix-run/react";
import { applyFilter } from "~/features/referrals/apply-filter.server";
import { listReferrals } from "~/features/referrals/list-referrals.server";
import { setStatus } from "~/features/referrals/set-status.server";
import { runCommand } from "~/http/command.server";
import { keepForm } from "~/http/keep-form";
import { runPage } from "~/http/page.server";
import { afterChanges } from "~/http/revalidation";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { EmptyState } from "~/ui/list-states";
import { Notice } from "~/ui/notice";
import { PageHead } from "~/ui/page";
import { Pager } from "~/ui/pager";
import { FilterPanel } from "./filter-panel";
import { ReferralTable } from "./referral-table";

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
  });
};

export const clientAction = keepForm;

export const action = (args: ActionFunctionArgs) => runCommand(args, { applyFilter, setStatus });

export default function Overview() {
  const list = useLoaderData<typeof loader>();
  const refused = useActionData<typeof action>();
  const { visitId } = useParams();
  const { search } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const first = list.rows[0]?.id;
  const pageHref = (page: number) => `${paths.overview}?${pageQuery({ f: list.f, sort: list.sort, page, anchor: first, anchorPage: list.page })}`;
  const from = (list.page - 1) * 20 + 1;
  const isElsewhere = openId !== null && !list.rows.some((row) => row.id === openId);
  const pager = (label: string) => <Pager page={list.page} pageCount={list.pageCount} href={pageHref} label={label} />;

  return (
    <>
      <PageHead title={list.isStaff ? "Oversigt" : "Oversigt over henvisninger"} />
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      {refused?.submission?.status === "error" && refused.formId.startsWith("status-") && (
        <Notice kind="error" live>
          {refused.submission.error?.[""]?.join(" ")}
        </Notice>
      )}
      <FilterPanel list={list} isFolded={openId !== null} />
      <div className="list-head">
        <p className="m-0" aria-live="polite">
          <b>{showCount(list.total)} henvisninger</b>
          {list.rows.length > 0 && <span className="meta"> · viser {showCount(from)}–{showCount(from + list.rows.length - 1)}</span>}
        </p>
        <div className="push">{pager("Sider, øverst")}</div>
      </div>
      {isElsewhere && (
        <div className="panel">
          <Outlet />
        </div>
      )}
      {list.rows.length === 0 ? (
        <EmptyState why="Ingen henvisninger passer til filtrene." action={<a href={paths.overview}>Nulstil filtre</a>} />
      ) : (
        <ReferralTable list={list} openId={openId} search={search} refusedForm={refused?.submission?.status === "error" ? refused.formId : null} />
      )}
      {pager("Sider, nederst")}
    </>
  );
}

function pageQuery({ f, sort, page, anchor, anchorPage }: { f: string | null; sort: string; page: number; anchor: number | undefined; anchorPage: number }): string {
  const query = new URLSearchParams({ ...(f ? { f } : {}), sort, page: String(page) });
  if (page > 1 && anchor) {
    query.set("after", String(anchor));
    query.set("from", String(anchorPage));
  }
  return query.toString();
}
