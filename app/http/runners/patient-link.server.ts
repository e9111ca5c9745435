import { readLetterhead } from "~/features/settings/settings.server";
import { type ActionFunctionArgs, json, type LoaderFunctionArgs, redirect, type TypedResponse } from "@remix-run/node";
import type { LinkPurpose } from "~/access/actor";
import type { Operation } from "~/access/operation.server";
import { patientCaller } from "~/access/patient-links.server";
import { type Download, runDownload } from "./download.server";
import { type Redirect, runCommand, runPage } from "./page.server";
import { pathOf, refusedPage } from "./refused-page.server";
import type { ActionResult } from "~/http/forms/action-result";
import type { AnyOperation } from "~/http/forms/submitted-form.server";
import { Refusal } from "~/access/refusal";
import { linkToken } from "~/text/link-token";

export const tokenOf = (request: Request) => linkToken(new URL(request.url).searchParams);

/** Loader or action arguments with the token's patient as caller; cookies are ignored. Throws `linkExpired`. */
export function asPatient<Args extends Pick<LoaderFunctionArgs, "request" | "context">>(
  args: Args,
  purpose: LinkPurpose,
): Args {
  const { context, request } = args;
  const caller = () => patientCaller(context.portal, { token: tokenOf(request), purpose }, context);
  return { ...args, context: { ...context, caller } };
}

interface Expired {
  isExpired: true;
  /** The clinic's own telephone: a patient rings the clinic, not who runs the portal. */
  clinicPhone: string;
}

/** Loader of a patient page. An invalid link is answered by the page, which says what to do. */
export async function runLinkPage<O>(
  args: LoaderFunctionArgs,
  purpose: LinkPurpose,
  operation: Operation<Record<string, never>, O>,
): Promise<TypedResponse<Exclude<O, Redirect> | Expired>> {
  try {
    return await runPage(asPatient(args, purpose), operation);
  } catch (error) {
    if (!(error instanceof Response) || error.status !== 403) throw error;
    const { phone: clinicPhone } = await readLetterhead(args.context.portal.db, args.context.portal.config);
    return json<Expired>(
      { isExpired: true, clinicPhone },
      { status: 403, headers: { "Cache-Control": "private, no-store" } },
    );
  }
}

/** Action of a patient page. An invalid link redirects to the page, unless its network has guessed too often. */
export async function runLinkCommand(
  args: ActionFunctionArgs,
  purpose: LinkPurpose,
  operations: Record<string, AnyOperation>,
): Promise<TypedResponse<ActionResult>> {
  try {
    return await runCommand(asPatient(args, purpose), operations);
  } catch (error) {
    if (error instanceof Refusal && error.name === "linkExpired") throw redirect(pathOf(args.request), 303);
    if (error instanceof Refusal) args.context.retryAfter.seconds = error.retryAfterSeconds;
    throw refusedPage(args.request, error);
  }
}

export const runLinkDownload = <I>(
  args: LoaderFunctionArgs,
  purpose: LinkPurpose,
  operation: Operation<I, Download>,
  pageOf: (token: string) => string,
): Promise<Response> =>
  runDownload(asPatient(args, purpose), operation, args.params, {
    goBack: { href: pageOf(encodeURIComponent(tokenOf(args.request))), text: "Tilbage" },
  });
