import type { ActionFunctionArgs, LinksFunction, LoaderFunctionArgs } from "@remix-run/node";
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from "@remix-run/react";
import { closeBrowserWarning, closeInfoPopup, chooseLightEdition } from "~/features/accounts/shell-choices.server";
import { readShell } from "~/features/accounts/read-shell.server";
import { signOut } from "~/features/accounts/sign-out.server";
import { runCommand } from "~/http/command.server";
import { runPage } from "~/http/page.server";
import { pageTitle } from "~/http/title";
import styles from "~/styles/tailwind.css";
import { Shell } from "./shell";

export const links: LinksFunction = () => [{ rel: "stylesheet", href: styles }];

export const meta = pageTitle();

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readShell, { userAgent: args.request.headers.get("User-Agent") ?? "", cookies: args.request.headers.get("Cookie") ?? "" });

/** A change may have left a message to show; moving between pages has not. */
export const shouldRevalidate = ({ formMethod }: ShouldRevalidateFunctionArgs) => formMethod !== undefined && formMethod !== "GET";

export const action = (args: ActionFunctionArgs) =>
  runCommand(args, { signOut, lightEdition: chooseLightEdition, closeInfoPopup, closeBrowserWarning });

export default function Management() {
  const shell = useLoaderData<typeof loader>();
  return (
    <Shell {...shell}>
      <Outlet />
    </Shell>
  );
}
