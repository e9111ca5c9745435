import { useLocation } from "@remix-run/react";
import { paths } from "~/paths";
import { Pager } from "~/ui/lists/pager";
import { LogFilter } from "./log-filter";
import { LogTable } from "./log-table";
import { logWords } from "./log-words";
import type { ShownLog } from "./present";

export function LogPage({ log, isLoading }: { log: ShownLog; isLoading: boolean }) {
  const { search } = useLocation();
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
      <LogFilter log={log} />
      <h2 className="mt-4 mb-2">{logWords[log.log].heading}</h2>
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
