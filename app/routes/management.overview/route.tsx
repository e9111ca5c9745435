import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import type { OverviewList } from "~/components/overview-list/overview-list";
import { applyFilter } from "~/features/referrals/list/apply-filter.server";
import { runEdiImport } from "~/features/edi/import-edi.server";
import { closeCallUpStats } from "~/features/referrals/list/call-up-stats.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readListAround } from "~/features/referrals/list/read-list-around.server";
import { moreFilters } from "~/features/referrals/list/more-filters.server";
import { searchReferrers } from "~/features/referrals/wizard/save-referrer.server";
import { putAwaySetUp } from "~/features/set-up/missing-steps.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { setStatuses, undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { runCommand } from "~/http/runners/command.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { runPage } from "~/http/runners/page.server";
import { changedNothing, staysAtImages } from "~/http/forms/revalidation";
import { pageTitle } from "~/http/title";
import overviewStyles from "~/styles/overview.css";
import { useFillsWindow } from "~/ui/layout/fills-window";
import { ListPage } from "./list-page";
import { presentOverview } from "./present";
import { Shortcuts } from "./shortcuts";
import { ReferralAlone } from "./referral-alone";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: overviewStyles }];

export const meta = pageTitle("Oversigt");

/** Returning to the list may have outdated rows, and image pages only load the list's ends. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  !changedNothing(args) &&
  !staysAtImages(args) &&
  (isLeft("visitId", args) || isLeft("imageId", args) || args.defaultShouldRevalidate);

const isLeft = (param: string, { currentParams, nextParams }: ShouldRevalidateFunctionArgs) =>
  currentParams[param] !== undefined && currentParams[param] !== nextParams[param];

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  const { visitId, imageId } = args.params;
  // A link without a list shows the referral alone.
  if (visitId !== undefined && !query.has("sort")) return null;
  const pageInput = {
    f: query.get("f"),
    sort: query.get("sort"),
    page: query.get("page"),
    cursor: query.get("fra"),
    openId: visitId ?? null,
    openStatus: query.get("stod"),
  };
  if (imageId !== undefined) return runPage(args, readListAround, pageInput);
  return runPage(
    args,
    listReferrals,
    { ...pageInput, open: query.get("aabn"), massChange: query.get("skiftet"), more: query.get("flere") },
    { subject: ({ rows }) => ({ items: { referralId: rows.map(({ id, statusVersion }) => [id, statusVersion]) } }) },
  );
};

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    applyFilter,
    moreFilters,
    searchReferrers,
    setStatus,
    setStatuses,
    undoStatuses,
    closeCallUpStats,
    putAwaySetUp,
    runEdiImport,
  });

export default function Overview() {
  const list = useLoaderData() as OverviewList | null;
  if (useFillsWindow()) return <Outlet />;
  return (
    <>
      {list === null ? <ReferralAlone /> : <ListPage list={presentOverview(list)} />}
      <Shortcuts />
    </>
  );
}
