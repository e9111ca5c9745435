import type { LoaderFunctionArgs } from "@remix-run/node";
import {
  Links,
  LiveReload,
  Meta,
  Outlet,
  Scripts,
  ScrollRestoration,
  type ShouldRevalidateFunctionArgs,
  useMatches,
  useRouteError,
  useRouteLoaderData,
} from "@remix-run/react";
import type { ReactNode } from "react";
import { readPublicSettings } from "~/features/accounts/operations.server";
import { runPage } from "~/http/runners/page.server";
import { usePublicSettings } from "~/http/use-public-settings";
import { changedNothing } from "./http/forms/client-page";
import { pageTitle } from "~/http/title";
import { BareErrorPage } from "~/ui/feedback/error-page";
import { HasScriptsContext, MarkScripts, useNonce, usePublicStyles } from "~/ui/layout/early-scripts";

export const loader = (args: LoaderFunctionArgs) =>
  runPage(args, readPublicSettings, { saveData: args.request.headers.get("Save-Data") === "on" });

/** Settings and edition change only with sign-in or the shell's forms. */
export const shouldRevalidate = (args: ShouldRevalidateFunctionArgs) =>
  args.formAction !== undefined && !args.formAction.startsWith("/management/") && !changedNothing(args);

export const meta = pageTitle();

/** `handle.plain`: one request with inline styles and no script. `noAccount`: for people without an account. */
interface Handle {
  plain?: boolean;
  noScript?: boolean;
  noAccount?: boolean;
}

export function Layout({ children }: { children: ReactNode }) {
  const settings = useRouteLoaderData<typeof loader>("root");
  const matches = useMatches();
  const failed = Boolean(useRouteError());
  const nonce = useNonce();
  const publicStyles = usePublicStyles();
  const is = (kind: keyof Handle) => matches.some((match) => (match.handle as Handle | undefined)?.[kind]);
  const isPlain = failed || is("plain");
  const hasScripts = !isPlain && !settings?.isLight && !is("noScript");
  return (
    <HasScriptsContext.Provider value={hasScripts}>
      <html lang="da" suppressHydrationWarning>
        <head>
          <meta charSet="utf-8" />
          <MarkScripts />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <meta name="format-detection" content="telephone=no" />
          <meta name="robots" content="noindex" />
          <Meta />
          <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
          {!isPlain && (
            <>
              <link rel="apple-touch-icon" href="/favicon-180.png" />
              <link rel="manifest" href="/favicon.webmanifest" />
            </>
          )}
          {isPlain && publicStyles ? (
            <style nonce={nonce} dangerouslySetInnerHTML={{ __html: publicStyles }} />
          ) : (
            <Links />
          )}
        </head>
        <body>
          {children}
          {hasScripts && (
            <>
              <ScrollRestoration nonce={nonce} />
              <Scripts nonce={nonce} />
              {process.env.REMIX_DEV_ORIGIN && <LiveReload nonce={nonce} />}
            </>
          )}
        </body>
      </html>
    </HasScriptsContext.Provider>
  );
}

export default function App() {
  return <Outlet />;
}

export function ErrorBoundary() {
  const hasAccount = !useMatches().some((match) => (match.handle as Handle | undefined)?.noAccount);
  const { productName, clinicName } = usePublicSettings() ?? {};
  return (
    <BareErrorPage brand={(hasAccount ? productName : clinicName) ?? "Henvisningsportalen"} hasAccount={hasAccount} />
  );
}
