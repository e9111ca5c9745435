import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData, useNavigation } from "@remix-run/react";
import { filterAccess } from "~/features/audit-log/filter-access.server";
import { listAccess } from "~/features/audit-log/list-access.server";
import { correctAndResend } from "~/features/logs/correct-and-resend.server";
import {
  markFailureHandled,
  reopenFailure,
  resendFailure,
  settleAsArrived,
} from "~/features/logs/handle-failure.server";
import { listFailures } from "~/features/logs/list-failures.server";
import { listLog } from "~/features/logs/list-log.server";
import { attachEdiMessage, dismissEdiMessage, importEdiMessage } from "~/features/edi/decide/decide-message.server";
import { linkEdiSender } from "~/features/edi/decide/link-sender.server";
import { readEdiAgain } from "~/features/edi/decide/read-again.server";
import { runEdiImport } from "~/features/edi/import-edi.server";
import { listEdi } from "~/features/edi/list/list-edi.server";
import { listEdiLetters } from "~/features/edi/list/list-edi-letters.server";
import { isLogName } from "~/features/logs/log-types";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { paths } from "~/paths";
import { PageHead } from "~/ui/layout/page-frame";
import { AccessPage } from "./access-page";
import { EdiLettersPage } from "./edi-letters-page";
import { EdiPage } from "./edi-page";
import { FailuresPage } from "./failures-page";
import { LogChoice } from "./log-choice";
import { LogPage } from "./log-page";
import { presentLog } from "./present";
import { presentAccess } from "./present-access";
import { presentEdi } from "./present-edi";
import { presentEdiLetters } from "./present-edi-letters";
import { presentFailures } from "./present-failures";

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
