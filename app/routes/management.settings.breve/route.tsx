import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { readLetterSettings } from "~/features/message-settings/read-letter-settings.server";
import { removeLetterLogo, saveLetterLogo } from "~/features/message-settings/save-letter-logo.server";
import { saveLetterSettings, saveSenders } from "~/features/message-settings/save-letter-settings.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { LetterForm } from "./letter-form";
import { LogoForm } from "./logo-form";
import { SendersForm } from "./senders-form";

export const meta = pageTitle("Breve");

export const handle = { pageForm: () => "saveLetterSettings" } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readLetterSettings, {}, { forms: { saveLetterSettings, saveSenders, saveLetterLogo } });

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { saveLetterSettings, saveSenders, saveLetterLogo, removeLetterLogo });

export default function LetterSettings() {
  const settings = useLoaderData<typeof loader>();
  return (
    <div className="stack">
      <LetterForm settings={settings} />
      <LogoForm key={settings.logo.sha256} logo={settings.logo} />
      <SendersForm settings={settings} />
    </div>
  );
}
