import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useNavigation,
  useRouteLoaderData,
} from "@remix-run/react";
import { Fragment } from "react";
import { PageHead } from "~/components/page-frame/page-frame";
import {
  attachEdiMessage,
  dismissEdiMessage,
  importEdiMessage,
  linkEdiSender,
  readEdiAgain,
} from "~/features/edi/decide/operations.server";
import { runEdiImport } from "~/features/edi/import-edi.server";
import { filterAccess, listAccess } from "~/features/audit-log/access-list.server";
import { listEdiLetters, listEdi } from "~/features/edi/list/edi-list.server";
import type { EdiWaiting } from "~/features/edi/list/edi-waiting.server";
import { listFailures } from "~/features/logs/failure-list.server";
import {
  correctAndResend,
  markFailureHandled,
  reopenFailure,
  resendFailure,
  settleAsArrived,
} from "~/features/logs/handle-failure.server";
import { listLog } from "~/features/logs/log-list.server";
import { isLogName, logNames } from "~/features/logs/log-types";
import { shouldRevalidate as afterChanges } from "~/http/forms/client-page";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { Badge } from "~/ui/lists/chip";
import { AccessPage, presentAccess } from "./access-page";
import { EdiLettersPage, presentEdiLetters, EdiPage, presentEdi } from "./edi-page";
import { FailuresPage, presentFailures } from "./failures-page";
import { LogPage, logWords, presentLog } from "./log-page";

const choice =
  "inline-flex items-center min-h-11 table:min-h-9 px-2.5 tablet:px-4 tablet:border-r border-line2 last:border-r-0 bg-surface text-ink no-underline hover:bg-tint " +
  "current:bg-primary current:text-white current:font-semibold ring-inside";

function LogChoice({ current, visitNumber, failures }: { current: string; visitNumber: string; failures: number }) {
  const waiting = useRouteLoaderData<{ ediWaiting: EdiWaiting }>("routes/management")?.ediWaiting?.count ?? 0;
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
      className="inline-flex phone:grid phone:grid-cols-3 phone:grid-gap-px mb-3 border border-line2 rounded-panel bg-line2 overflow-hidden print:hidden"
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
                <Badge className="ml-2" label="skal håndteres">
                  {failures}
                </Badge>
              </>
            )}
            {name === "edi" && waiting > 0 && (
              <>
                {" "}
                <Badge className="ml-2" label="skal afgøres">
                  {waiting}
                </Badge>
              </>
            )}
          </a>{" "}
        </Fragment>
      ))}
    </nav>
  );
}

export const meta = pageTitle("Logs");

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

export { clientAction, clientLoader } from "~/http/forms/client-page";

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
