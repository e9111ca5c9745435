import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "./action-result";

/**
 * Whether an answer changed nothing, so the page need not be read again: a look-up, an expired or other session, a lost
 * permission, a pending step, an unexpected or network error (docs/decisions/0008). Only while the page stays: on the
 * way to another page a look-up's answer would combine with the former page's data.
 */
export function changedNothing({
  actionResult,
  currentUrl,
  nextUrl,
  formAction,
}: ShouldRevalidateFunctionArgs): boolean {
  const { data: found, refusal, formId, isUnexpectedError } = (actionResult ?? {}) as Partial<ActionResult>;
  const isSentTo = formAction !== undefined && isSamePage(new URL(formAction, currentUrl), nextUrl);
  if (!isSentTo && !isSamePage(currentUrl, nextUrl)) return false;
  return (
    found !== undefined ||
    refusal === "notSignedIn" ||
    refusal === "otherPerson" ||
    refusal === "notAllowed" ||
    metPendingStep(actionResult) ||
    formId === ANY_FORM_ID ||
    isUnexpectedError === true
  );
}

function isSamePage(one: URL, other: URL): boolean {
  const query = (url: URL) => [...url.searchParams].filter(([name]) => name !== "index").join("&");
  return one.pathname === other.pathname && query(one) === query(other);
}

export const metPendingStep = (answer: unknown) =>
  ["conditionsNotAccepted", "passwordMustChange"].includes((answer as ActionResult | undefined)?.refusal ?? "");

/** Between images of a referral, or their adjustments, surrounding data is unchanged. */
export const staysAtImages = ({
  formMethod,
  currentUrl,
  nextUrl,
  currentParams,
  nextParams,
}: ShouldRevalidateFunctionArgs) =>
  formMethod === undefined &&
  (nextParams.imageId ?? nextParams.fileId) !== undefined &&
  nextParams.visitId === currentParams.visitId &&
  !isSamePage(currentUrl, nextUrl);

export const afterChanges = (args: ShouldRevalidateFunctionArgs) =>
  changedNothing(args) || staysAtImages(args) ? false : args.defaultShouldRevalidate;

/** Event with which the shell's poll passes the account's answer to the page. */
export const ACCOUNT_EVENT = "portal:account";

export interface AccountNews {
  visitId?: number;
  newestMessageAt?: string | null;
  sendings?: { state: string } | null;
}
