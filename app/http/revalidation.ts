import type { ShouldRevalidateFunctionArgs } from "@remix-run/react";
import type { FormAnswer } from "./command.server";
import { ANY_FORM } from "./form-answer";

/**
 * Whether an action's answer leaves everything as it was: a look-up, a session that had run out or conditions that had come in between
 * (reading the page anew would lead away from what was typed: docs/decisions/0008), or a form that never arrived. On the way to
 * another page that does not matter: a look-up answered then would otherwise bring up that page with the former one's data.
 */
export function changedNothing({ actionResult, currentUrl, nextUrl }: ShouldRevalidateFunctionArgs): boolean {
  const { found, refusal, formId } = (actionResult ?? {}) as Partial<FormAnswer>;
  if (currentUrl.href !== nextUrl.href) return false;
  return found !== undefined || refusal === "notSignedIn" || metConditions(actionResult) || formId === ANY_FORM;
}

/** Whether a form was refused because conditions had come that are not accepted yet. */
export const metConditions = (answer: unknown) => (answer as FormAnswer | undefined)?.refusal === "conditionsNotAccepted";

/** Pages are read anew after what may have changed something. */
export const afterChanges = (args: ShouldRevalidateFunctionArgs) => (changedNothing(args) ? false : args.defaultShouldRevalidate);

/** The shell's poll tells the open page what the account call answered. */
export const ACCOUNT_EVENT = "portal:account";

export interface AccountNews {
  /** The open referral that was asked for. */
  visitId?: number;
  /** When a message was last written or edited at it, UTC. */
  newestMessageAt?: string | null;
}
