import type { ActionFunctionArgs, LoaderFunctionArgs } from "@remix-run/node";
import { useLoaderData } from "@remix-run/react";
import { type PortalTextKind, portalTexts } from "~/features/portal-texts/portal-text-kinds";
import { previewPortalText, readPortalText, savePortalText } from "~/features/portal-texts/operations.server";
import { keepFormOnNetworkError } from "~/http/forms/keep-form-on-network-error";
import { keepPageOnNetworkError } from "~/http/forms/keep-page-on-network-error";
import type { PageFormHandle } from "~/http/forms/page-form";
import { afterChanges } from "~/http/forms/revalidation";
import { runCommand } from "~/http/runners/command.server";
import { runPage } from "~/http/runners/page.server";
import { pageTitle } from "~/http/title";
import { FORM_ID, PortalTextForm } from "./portal-text-form";

export const meta = pageTitle((params) => {
  const title = portalTexts[params.kind as PortalTextKind]?.title;
  return title ? `Tekster: ${title}` : "Tekster";
});

export const handle = { pageForm: () => FORM_ID } satisfies PageFormHandle;

export const shouldRevalidate = afterChanges;

export const loader = (args: LoaderFunctionArgs) => {
  const from = new URL(args.request.url).searchParams.get("fra");
  return runPage(
    args,
    readPortalText,
    { ...args.params, ...(from === null ? {} : { from }) },
    {
      forms: { savePortalText },
      subject: ({ kind, newestVersion }) => ({ fields: { kind }, versions: { version: newestVersion } }),
    },
  );
};

export const clientLoader = keepPageOnNetworkError;

export const clientAction = keepFormOnNetworkError;

export const action = (args: ActionFunctionArgs) => runCommand(args, { savePortalText, previewPortalText });

export default function PortalText() {
  const text = useLoaderData<typeof loader>();
  const { kind, shownVersion, newestVersion } = text;
  return <PortalTextForm key={`${kind} ${shownVersion === newestVersion ? "newest" : shownVersion}`} text={text} />;
}
