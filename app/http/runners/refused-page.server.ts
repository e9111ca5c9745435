import { json, redirect, redirectDocument } from "@remix-run/node";
import { isPendingStep, pageOfStep, type PendingStep } from "~/access/authorise.server";
import { Refusal } from "~/access/refusal";
import { headersOf, refusals } from "~/http/errors";
import { paths } from "~/paths";

export const PRIVATE = { "Cache-Control": "private, no-store" };

/** Maps a refusal to a redirect or a response for the error boundary; passes other errors. */
export function refusedPage(request: Request, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error;
  if (error.name === "notSignedIn") return redirectDocument(loginWithReturn(request));
  if (isPendingStep(error.name)) return redirect(stepWithReturn(error.name, request));
  // An unreadable address does not exist.
  const { status, text } = refusals[error.name === "invalid" ? "notInScope" : error.name];
  return json(
    { text: error.text ?? text, refusal: error.name },
    { status, headers: { ...PRIVATE, ...headersOf(error) } },
  );
}

export function loginWithReturn(request: Request): string {
  return `${paths.login}?to=${encodeURIComponent(pathOf(request))}`;
}

export const stepWithReturn = (step: PendingStep, request: Request): string => pageOfStep(step, pathOf(request));

export function pathOf(request: Request): string {
  const url = new URL(request.url);
  const query = url.searchParams
    .toString()
    .replace(/(^|&)index=(?=&|$)/, "")
    .replace(/^&/, "");
  return query === "" ? url.pathname : `${url.pathname}?${query}`;
}
