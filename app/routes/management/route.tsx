import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import {
  Outlet,
  type ShouldRevalidateFunctionArgs,
  useLoaderData,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import {
  chooseFullEdition,
  chooseLightEdition,
  closeBrowserWarning,
  closeInfoPopup,
} from "~/features/accounts/shell-choices.server";
import { readShell } from "~/features/shell/read-shell.server";
import { signOut } from "~/features/accounts/operations.server";
import { runCommand, runPage } from "~/http/runners/page.server";
import { changedNothing, metPendingStep } from "~/http/forms/client-page";
import { pageTitle } from "~/http/title";
import { usePublicSettings } from "~/http/use-public-settings";
import styles from "~/styles/tailwind.css";
import { BareErrorPage, errorAnswer, ErrorPage } from "~/ui/feedback/error-page";
import { Shell } from "./shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export const meta = pageTitle();

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readShell, {
    userAgent: args.request.headers.get("User-Agent") ?? "",
    cookies: args.request.headers.get("Cookie") ?? "",
  });

export { clientAction, clientLoader } from "~/http/forms/client-page";

/** Changes may leave messages or new conditions; navigation does not. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  args.formMethod !== undefined &&
  args.formMethod !== "GET" &&
  (metPendingStep(args.actionResult) || !changedNothing(args));

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, {
    signOut,
    lightEdition: chooseLightEdition,
    fullEdition: chooseFullEdition,
    closeInfoPopup,
    closeBrowserWarning,
  });

/** Errors are shown inside the shell, so that the tabs remain. */
export function ErrorBoundary() {
  const shell = useRouteLoaderData<typeof loader>("routes/management");
  const answer = errorAnswer(useRouteError());
  const brand = usePublicSettings()?.productName;
  return shell ? (
    <Shell {...shell}>
      <ErrorPage {...answer} />
    </Shell>
  ) : (
    <BareErrorPage brand={brand} />
  );
}

export default function Management() {
  const shell = useLoaderData<typeof loader>();
  return (
    <Shell {...shell}>
      <Outlet />
    </Shell>
  );
}
