import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { ActionResult } from "~/http/forms/action-result";
import { ANY_FORM_ID } from "./action-result";

/**
 * Whether an action's answer leaves everything as it was: a look-up, a session that had run out or was another's, a right that was lost, conditions that had come in between
 * (reading the page anew would lead away from what was typed: docs/decisions/0008), an unexpected error, or a form that never arrived.
 *
 * It does so only where the page stays: at its address, whatever the hash, or at the one that the form was sent to. While the person is
 * on the way to another page, a look-up answered then would bring up that page with the former one's data.
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

/** Whether a form was refused because something must be done first, such as accepting new conditions. */
export const metPendingStep = (answer: unknown) =>
  ["conditionsNotAccepted", "passwordMustChange"].includes((answer as ActionResult | undefined)?.refusal ?? "");

/** From one image of a referral to another, or to other adjustments of it: the data around the images is unchanged. */
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

/** Revalidates pages after anything that may have changed data. */
export const afterChanges = (args: ShouldRevalidateFunctionArgs) =>
  changedNothing(args) || staysAtImages(args) ? false : args.defaultShouldRevalidate;

/** The event by which the shell's poll passes the account call's answer to the open page. */
export const ACCOUNT_EVENT = "portal:account";

export interface AccountNews {
  /** The open referral that was asked for. */
  visitId?: number;
  /** When a message was last written or edited at it, UTC. */
  newestMessageAt?: string | null;
  /** How far its sendings have come; null for who does not write to patients. */
  sendings?: { state: string } | null;
}
