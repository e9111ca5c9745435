import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useParams,
  useRouteLoaderData,
} from "@remix-run/react";
import { lazy, Suspense, useCallback, useEffect, useState } from "react";
import type { OverviewList } from "~/components/overview-list/overview-list";
import { runEdiImport } from "~/features/edi/import-edi.server";
import {
  applyFilter,
  moreFilters,
  readListAround,
  listReferrals,
} from "~/features/referrals/list/list-referrals.server";
import { searchPatients, suggestPatients } from "~/features/referrals/list/search-patients.server";
import { closeCallUpStats } from "~/features/referrals/list/read-queues.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { askExport } from "~/features/exports/operations.server";
import { setStatuses, undoStatuses } from "~/features/referrals/status/set-statuses.server";
import { searchReferrers } from "~/features/referrals/wizard/save-referrer.server";
import { changedNothing, staysAtImages } from "~/http/forms/client-page";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import overviewStyles from "~/styles/overview.css";
import { ButtonLink } from "~/ui/forms/button";
import { ListPage } from "./list-page";
import { presentOverview } from "./present";

/**
 * Keyboard shortcuts of overview and open referral. Ignored in fields, dialogs, with modifiers, and on repeat. `?`
 * lists them. A key presses the first link or button with its `data-shortcut`, and moves the focus to a field.
 */
function useShortcuts(showList: () => void): void {
  const isOn = useRouteLoaderData<{ hasShortcuts: boolean }>("routes/management")?.hasShortcuts ?? false;
  useEffect(() => {
    if (!isOn) return;
    const onKey = (event: KeyboardEvent) => {
      const { key, target: focused } = event;
      if (event.defaultPrevented || event.repeat || event.ctrlKey || event.metaKey || event.altKey) return;
      if (focused instanceof Element && focused.closest("input, select, textarea, [role=dialog]")) return;
      if (key === "?") {
        event.preventDefault();
        return showList();
      }
      const target = document.querySelector<HTMLElement>(`[data-shortcut="${CSS.escape(key.toLowerCase())}"]`);
      if (!target) return;
      event.preventDefault();
      // Focus as a press would, so that what opens can take it over.
      target.focus({ preventScroll: target.matches("a, button") });
      if (target.matches("a, button")) target.click();
    };
    document.addEventListener("keydown", onKey);
    return () => document.removeEventListener("keydown", onKey);
  }, [isOn, showList]);
}

const ShortcutList = lazy(async () => ({ default: (await import("./shortcut-list")).ShortcutList }));

function Shortcuts() {
  const [before, setBefore] = useState<Element | null>(null);
  useShortcuts(useCallback(() => setBefore(document.activeElement), []));
  if (!before) return null;
  return (
    <Suspense fallback={null}>
      <ShortcutList
        onClose={() => {
          setBefore(null);
          if (before instanceof HTMLElement) before.focus();
        }}
      />
    </Suspense>
  );
}

function ReferralAlone() {
  const { visitId } = useParams();
  return (
    <>
      <p className="mb-2 -ml-2">
        <ButtonLink to={paths.overview} variant="plain" size="small" icon="left">
          Oversigt
        </ButtonLink>
      </p>
      <div className="panel open-panel mb-3" id={`r${visitId}`}>
        <Outlet />
      </div>
    </>
  );
}

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
  const { searchParams: query, pathname } = new URL(args.request.url);
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
    {
      ...pageInput,
      open: query.get("aabn"),
      massChange: query.get("skiftet"),
      begins: pathname === paths.overview && !query.has("f"),
      more: query.get("flere"),
    },
    { subject: ({ rows }) => ({ items: { referralId: rows.map(({ id, statusVersion }) => [id, statusVersion]) } }) },
  );
};

export { clientAction, clientLoader } from "~/http/forms/client-page";

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    applyFilter,
    searchPatients,
    suggestPatients,
    moreFilters,
    searchReferrers,
    setStatus,
    setStatuses,
    undoStatuses,
    askExport,
    closeCallUpStats,
    runEdiImport,
  });

export default function Overview() {
  const list = useLoaderData() as OverviewList | null;
  // An image has the list's ends only, also when it cannot be shown.
  if (useParams().imageId !== undefined) return <Outlet />;
  return (
    <>
      {list === null ? <ReferralAlone /> : <ListPage list={presentOverview(list)} />}
      <Shortcuts />
    </>
  );
}
