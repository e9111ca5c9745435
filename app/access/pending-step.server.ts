import { paths } from "~/paths";
import type { Actor } from "./actor";

const pages = {
  passwordMustChange: paths.ownPassword,
  secondFactorMissing: paths.setUpSecondFactor,
  conditionsNotAccepted: paths.terms,
} as const;

export type PendingStep = keyof typeof pages;

export function pendingStep(actor: Actor): PendingStep | null {
  if (actor.kind !== "person") return null;
  if (actor.mustChangePassword) return "passwordMustChange";
  if (actor.mustSetUpSecondFactor) return "secondFactorMissing";
  return actor.mustAcceptConditions ? "conditionsNotAccepted" : null;
}

export const isPendingStep = (refusal: string | undefined): refusal is PendingStep =>
  refusal !== undefined && Object.hasOwn(pages, refusal);

export const pageOfStep = (step: PendingStep, to: string): string => `${pages[step]}?to=${encodeURIComponent(to)}`;
