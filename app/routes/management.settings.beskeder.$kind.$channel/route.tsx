import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { templateKinds, templateTitle } from "~/features/delivery/templates/message-templates";
import { useLoaderData } from "@remix-run/react";
import { readMessageText } from "~/features/message-settings/read-message-text.server";
import {
  previewMessageText,
  replaceCostlySigns,
  saveMessageText,
  sendTextSample,
} from "~/features/message-settings/operations.server";
import type { PageFormHandle } from "~/http/forms/page-form";
import { runCommand, runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { FORM_ID, MessageTextForm, TemplateChoice } from "./message-text-form";

export const meta = pageTitle((params) => {
  const kind = templateKinds.find((each) => each === params.kind);
  return kind ? `Beskeder: ${templateTitle(kind)}` : "Beskeder";
});

export const handle = { pageForm: () => FORM_ID } satisfies PageFormHandle;

export { clientAction, clientLoader, shouldRevalidate } from "~/http/forms/client-page";

export const loader = (args: LoaderFunctionArgs) => {
  const from = new URL(args.request.url).searchParams.get("fra");
  return runPage(
    args,
    readMessageText,
    { ...args.params, from: from ?? undefined },
    {
      forms: { saveMessageText },
      subject: ({ kind, channel }) => ({ fields: { kind, channel } }),
    },
  );
};

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { saveMessageText, previewMessageText, replaceCostlySigns, sendTextSample });

export default function MessageText() {
  const text = useLoaderData<typeof loader>();
  const { kind, channel, shownVersion, newestVersion } = text;
  const goesOnFrom = shownVersion === newestVersion ? "newest" : shownVersion;
  return (
    <div className="panel desk:grid desk:grid-cols-[248px_minmax(0,1fr)]">
      <TemplateChoice kind={kind} channel={channel} />
      <MessageTextForm key={`${kind} ${channel} ${goesOnFrom}`} text={text} />
    </div>
  );
}
