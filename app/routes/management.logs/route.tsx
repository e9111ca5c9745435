import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData, useLocation, useNavigation } from "@remix-run/react";
import { Fragment } from "react";
import { filterAccess, listAccess } from "~/features/audit-log/operations.server";
import {
  attachEdiMessage,
  dismissEdiMessage,
  importEdiMessage,
  linkEdiSender,
  readEdiAgain,
} from "~/features/edi/decide/operations.server";
import { runEdiImport } from "~/features/edi/import-edi.server";
import { listEdiLetters } from "~/features/edi/list/list-edi-letters.server";
import { listEdi } from "~/features/edi/list/list-edi.server";
import {
  correctAndResend,
  markFailureHandled,
  reopenFailure,
  resendFailure,
  settleAsArrived,
} from "~/features/logs/handle-failure.server";
import { listFailures } from "~/features/logs/list-failures.server";
import { listLog } from "~/features/logs/list-log.server";
import { isLogName, logNames } from "~/features/logs/log-types";
import { ActionForm } from "~/http/forms/action-form";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { useFormErrors } from "~/http/forms/use-action-result";
import { useBusy } from "~/http/forms/use-busy";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button } from "~/ui/forms/button";
import { Checkbox } from "~/ui/forms/choices";
import { SelectField } from "~/ui/forms/select-field";
import { PageHead } from "~/ui/layout/page-frame";
import { Badge } from "~/ui/lists/chip";
import { Pager } from "~/ui/lists/pager";
import { AccessPage } from "./access-page";
import { EdiDirections } from "./edi-directions";
import { EdiLettersPage } from "./edi-letters-page";
import { EdiRow } from "./edi-row";
import { FailureRow } from "./failure-row";
import { LogFilter } from "./log-filter";
import { logPageAddress, LogPanel } from "./log-panel";
import { LogTable } from "./log-table";
import { logWords } from "./log-words";
import { presentLog, type ShownLog } from "./present";
import { presentAccess } from "./present-access";
import { presentEdi, type ShownEdi } from "./present-edi";
import { presentEdiLetters } from "./present-edi-letters";
import { presentFailures, type ShownFailures } from "./present-failures";

function EdiPage({ list, isLoading }: { list: ShownEdi; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, { type: "edi", nr: list.visitNumber || null, status: list.state });
  return (
    <>
      {list.inbox === null && (
        <Notice kind="warn" title="Ikke indstillet." className="mb-3">
          Portalen har ingen EDI-mappe at læse fra: EDI_DIR eller EDI_SFTP_URL skal sættes på serveren.
        </Notice>
      )}
      <EdiFilter list={list} />
      <div className="flex flex-wrap items-center justify-between">
        <EdiDirections current="in" visitNumber={list.visitNumber} waiting={list.waiting} />
        {list.inbox !== null && <ImportButton here={here(list.page)} label={list.inbox} />}
      </div>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Der er ikke kommet noget pr. EDI, der passer." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <EdiRow key={`${row.id} ${row.state.label}`} message={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function ImportButton({ here, label }: { here: string; label: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  const errors = useFormErrors("runEdiImport");
  return (
    <ActionForm
      operation="runEdiImport"
      showsErrors
      action={here}
      preventScrollReset
      className="flex flex-wrap items-center tablet:mt-4 mb-3 tablet:mb-2"
    >
      <span className="meta mr-3">{label}</span>
      <Button name="intent" value="runEdiImport" size="small" aria-disabled={isBusy || undefined}>
        EDI import
      </Button>
      {errors.length > 0 && (
        <Notice kind="error" live className="ml-3">
          {errors.join(" ")}
        </Notice>
      )}
    </ActionForm>
  );
}

function EdiFilter({ list: { visitNumber, isWrongNumber, state, states } }: { list: ShownEdi }) {
  return (
    <LogPanel type="edi" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[state]}>
      <SelectField name="status" label="Status" empty="Alle" choices={states} defaultValue={state ?? ""} />
    </LogPanel>
  );
}

function FailuresPage({ list, isLoading }: { list: ShownFailures; isLoading: boolean }) {
  const here = (page: number) =>
    logPageAddress(list, page, {
      type: "fejl",
      nr: list.visitNumber || null,
      kanal: list.channel,
      slags: list.kind,
      haandterede: list.withHandled ? 1 : null,
    });
  return (
    <>
      {list.down.map(({ channel, title, text }) => (
        <Notice key={channel} kind="warn" title={title} className="mb-3">
          {text}
        </Notice>
      ))}
      <FailureFilter list={list} />
      <h2 className="mt-4 mb-2">
        FORSENDELSER, DER FEJLEDE <span className="meta font-normal">{list.waiting}</span>
      </h2>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState icon="done" why="Alt er kommet frem, eller nogen har taget sig af det." />
      ) : (
        <ul className="panel divide-y divide-line">
          {list.rows.map((row) => (
            <FailureRow key={`${row.id} ${row.handled === null}`} failure={row} here={here(list.page)} />
          ))}
        </ul>
      )}
      <div className="list-foot mt-3">
        <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
      </div>
    </>
  );
}

function FailureFilter({ list }: { list: ShownFailures }) {
  const { visitNumber, isWrongNumber, channel, kind, withHandled } = list;
  return (
    <LogPanel type="fejl" visitNumber={visitNumber} isWrongNumber={isWrongNumber} values={[channel, kind, withHandled]}>
      <SelectField name="kanal" label="Kanal" empty="Alle" choices={list.channels} defaultValue={channel ?? ""} />
      <SelectField name="slags" label="Type" empty="Alle" choices={list.kinds} defaultValue={kind ?? ""} />
      <Checkbox name="haandterede" value={1} label="Vis også håndterede" defaultChecked={withHandled} />
    </LogPanel>
  );
}

const choice =
  "inline-flex items-center min-h-11 table:min-h-9 px-2.5 tablet:px-4 border-r border-line2 last:border-r-0 text-ink no-underline hover:bg-tint " +
  "current:bg-primary current:text-white current:font-semibold ring-inside";

function LogChoice({ current, visitNumber, failures }: { current: string; visitNumber: string; failures: number }) {
  const number = visitNumber === "" ? "" : `&nr=${encodeURIComponent(visitNumber)}`;
  const logs = [
    ...logNames.map((name) => ({ name, label: logWords[name].link })),
    { name: "fejl", label: "Fejl" },
    { name: "edi", label: "EDI" },
    { name: "adgang", label: "Adgang" },
  ];
  return (
    <nav
      aria-label="Vælg log"
      className="inline-flex flex-wrap mb-3 border border-line2 rounded-panel bg-surface overflow-hidden print:hidden"
    >
      {logs.map(({ name, label }) => (
        <Fragment key={name}>
          <a
            href={`${paths.logs}?type=${name}${number}`}
            aria-current={name === current ? "page" : undefined}
            className={choice}
          >
            {label}
            {name === "fejl" && failures > 0 && (
              <>
                {" "}
                <Badge className="ml-2" label="venter på nogen">
                  {failures}
                </Badge>
              </>
            )}
          </a>{" "}
        </Fragment>
      ))}
    </nav>
  );
}

function LogPage({ log, isLoading }: { log: ShownLog; isLoading: boolean }) {
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

export const meta = pageTitle("Logs");

/** Names of logs that are not a channel. */
const choiceOf = { failures: "fejl", access: "adgang", ediLetters: "edi" } as const;

/** A preview opens and closes over the same page. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  args.formMethod === undefined &&
  args.currentUrl.search === args.nextUrl.search &&
  args.currentUrl.pathname !== args.nextUrl.pathname
    ? false
    : afterChanges(args);

const messagesOf = ({ rows }: { rows: { id: number }[] }) => ({
  items: { messageId: rows.map(({ id }) => [id] as const) },
});

export const loader = (args: LoaderFunctionArgs) => {
  const query = new URL(args.request.url).searchParams;
  const log = query.get("type");
  const pageInput = { visitNumber: query.get("nr"), page: query.get("page") ?? 1, cursor: query.get("fra") };
  if (log === "adgang")
    return runPage(args, listAccess, { ...pageInput, f: query.get("f") }, { forms: { filterAccess } });
  if (log === "edi" && query.get("retning") === "ud")
    return runPage(args, listEdiLetters, { ...pageInput, state: query.get("status") });
  if (log === "edi")
    return runPage(
      args,
      listEdi,
      { ...pageInput, state: query.get("status") },
      { forms: { linkEdiSender }, subject: messagesOf },
    );
  return log === "fejl"
    ? runPage(
        args,
        listFailures,
        {
          ...pageInput,
          channel: query.get("kanal"),
          kind: query.get("slags"),
          withHandled: query.has("haandterede"),
        },
        { forms: { correctAndResend }, subject: messagesOf },
      )
    : runPage(args, listLog, { ...pageInput, log: isLogName(log) ? log : "eboks", type: query.get("slags") || null });
};

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    resendFailure,
    correctAndResend,
    settleAsArrived,
    markFailureHandled,
    reopenFailure,
    filterAccess,
    runEdiImport,
    importEdiMessage,
    attachEdiMessage,
    dismissEdiMessage,
    readEdiAgain,
    linkEdiSender,
  });

export default function Logs() {
  const list = useLoaderData<typeof loader>();
  const going = useNavigation();
  const isLoading = going.formMethod !== "POST" && going.location?.pathname === paths.logs;
  return (
    <>
      <Outlet />
      <PageHead title="Logs" />
      <LogChoice
        current={choiceOf[list.log as keyof typeof choiceOf] ?? list.log}
        visitNumber={list.visitNumber}
        failures={list.failures}
      />
      {list.log === "access" ? (
        <AccessPage list={presentAccess(list)} isLoading={isLoading} />
      ) : list.log === "edi" ? (
        <EdiPage list={presentEdi(list)} isLoading={isLoading} />
      ) : list.log === "ediLetters" ? (
        <EdiLettersPage list={presentEdiLetters(list)} isLoading={isLoading} />
      ) : list.log === "failures" ? (
        <FailuresPage list={presentFailures(list)} isLoading={isLoading} />
      ) : (
        <LogPage log={presentLog(list)} isLoading={isLoading} />
      )}
    </>
  );
}
