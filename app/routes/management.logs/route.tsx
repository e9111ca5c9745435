import type { LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { listLog } from "~/features/logs/list-log.server";
import { isLogName } from "~/features/logs/log-types";
import { keepPage } from "~/http/forms/keep-page";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { LogChoice } from "./log-choice";
import { LogFilter } from "./log-filter";
import { LogTable } from "./log-table";
import { logWords } from "./log-words";
import { presentLog } from "./present";

export const meta = pageTitle("Logs");

/** A preview opens and closes over the same page. */
export const shouldRevalidate = ({
  currentUrl,
  nextUrl,
  formMethod,
  defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === undefined && currentUrl.search === nextUrl.search && currentUrl.pathname !== nextUrl.pathname
    ? false
    : defaultShouldRevalidate;

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  const log = query.get("type");
  return runPage(args, listLog, {
    log: isLogName(log) ? log : "eboks",
    visitNumber: query.get("nr"),
    type: query.get("slags") || null,
    page: query.get("page") ?? 1,
    cursor: query.get("fra"),
  });
};

export const clientLoader = keepPage;

/** What was sent, a channel at a time. */
export default function Logs() {
  const log = presentLog(useLoaderData<typeof loader>());
  const { search } = useLocation();
  const isLoading = useNavigation().location?.pathname === paths.logs;
  const { heading } = logWords[log.log];
  const here = (page: number) => {
    const next = {
      type: log.log,
      nr: log.visitNumber || null,
      slags: log.type,
      page,
      fra: page === 1 ? null : page > log.page ? log.end : log.start,
    };
    const entries = Object.entries(next).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
    return `${paths.logs}?${new URLSearchParams(entries).toString()}`;
  };
  return (
    <>
      <Outlet />
      <PageHead title="Logs" />
      <LogChoice current={log.log} visitNumber={log.visitNumber} failures={0} />
      <LogFilter log={log} />
      <h2 className="mt-4 mb-2">{heading}</h2>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : (
        <>
          <LogTable log={log} query={search} />
          <div className="list-foot mt-3">
            <Pager page={log.page} pageCount={log.pageCount} href={here} label="Sider" />
          </div>
        </>
      )}
    </>
  );
}
