import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readAnswerSettings, saveAnswerSettings } from "~/features/sms-threads/save-answer-settings.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { AnswerSettingsForm } from "./answer-settings-form";

export const meta = pageTitle("SMS-svar");

export const handle = { pageForm: () => "saveAnswerSettings" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readAnswerSettings, {}, { forms: { saveAnswerSettings } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { saveAnswerSettings });

export default function AnswerSettings() {
  return <AnswerSettingsForm {...useLoaderData<typeof loader>()} />;
}
