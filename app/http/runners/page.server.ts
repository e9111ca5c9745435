import {
  json,
  type LoaderFunctionArgs,
  redirect,
  redirectDocument,
  type SerializeFrom,
  type TypedResponse,
} from "@remix-run/node";
import { hasAccount } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, type Operation, plainInput, type ResultOf } from "~/access/operation.server";
import { type FormSubject, sealTicket, subjectOf } from "~/access/form-ticket.server";
import { isPendingStep, pageOfStep, type PendingStep } from "~/access/authorise.server";
import { Refusal } from "~/access/refusal";
import { headersOf, refusals } from "~/http/errors";
import { formConstraints } from "~/http/forms/form-fields.server";
import { paths } from "~/paths";

const PRIVATE = { "Cache-Control": "private, no-store" };

export interface Redirect {
  redirectTo: string;
}

/** Type of `useLoaderData` for a loader that runs this read. */
export type PageOf<T> = SerializeFrom<Exclude<ResultOf<T>, Redirect>>;

const isMove = (result: unknown): result is Redirect =>
  typeof result === "object" && result !== null && "redirectTo" in result;

interface PageOptions<O> {
  /** Operations of the page's forms by intent; their constraints are added (http/forms/use-server-form.ts). */
  forms?: Record<string, Operation<any, any>>;
  subject?(page: O): FormSubject;
}

/**
 * A loader: runs a read. Signed out redirects to sign-in and back; other refusals and errors become the error page with
 * their status.
 */
export async function runPage<I, O>(
  args: LoaderFunctionArgs,
  operation: Operation<I, O>,
  raw: unknown = {},
  { forms, subject }: PageOptions<Exclude<O, Redirect>> = {},
): Promise<TypedResponse<Exclude<O, Redirect>>> {
  try {
    const caller = await args.context.caller();
    const result = await execute(args.context.portal, caller, operation, plainInput(raw));
    if (isMove(result)) throw redirect(result.redirectTo);
    args.context.portal.pageViews.count(operation.name, caller.actor, args.request.headers.get("Referer"));
    const shown = result as Exclude<O, Redirect>;
    const about = subject?.(shown) ?? {};
    const ticket = sealTicket(args.context.portal.secrets, caller, about);
    const page = {
      ...shown,
      ...(forms ? { constraints: formConstraints(forms) } : {}),
      ...(ticket === undefined
        ? {}
        : { ticket: { sealed: ticket, subject: subjectOf(about.fields), person: personIdOf(caller) } }),
    };
    return json(page, { headers: PRIVATE }) as TypedResponse<Exclude<O, Redirect>>;
  } catch (error) {
    // Remix drops headers of thrown responses.
    if (error instanceof Refusal) args.context.retryAfter.seconds = error.retryAfterSeconds;
    if (!operation.unexpectedErrorText || error instanceof Refusal || error instanceof Response)
      throw refusedPage(args.request, error);
    args.context.portal.log.error({ err: error, operation: operation.name }, "operation failed");
    throw json({ text: operation.unexpectedErrorText }, { status: 500, headers: PRIVATE });
  }
}

const personIdOf = ({ actor }: Caller) => (hasAccount(actor) ? actor.id : undefined);

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
