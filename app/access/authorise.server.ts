import type { Portal } from "~/portal.server";
import type { WithRoles, Actor } from "./actor";
import type { Caller, Site } from "./caller";
import { can, type Permission } from "./permissions";
import { Refusal } from "./refusal";
import { paths } from "~/paths";

/** Throws `notSignedIn` or `notAllowed` unless the caller may use the permission on this site. */
export function authorise(portal: Portal, caller: Caller, permission: Permission): void {
  if (permission === "development" && portal.config.production) throw new Refusal("notInScope");
  if (permission === "public" || permission === "development") return;
  if (caller.actor.kind === "anonymous") throw new Refusal("notSignedIn");
  if (!can(caller.actor, permission)) throw new Refusal("notAllowed");
  if (caller.actor.kind !== "person") return;
  if (!mayUseSite(caller.actor, caller.site)) throw new Refusal("notAllowed");
  const step = permission === "signedIn" ? null : pendingStep(caller.actor);
  if (step !== null) throw new Refusal(step);
}

/** The staff host is for staff alone, the public host for everybody else with a role (docs/access.md). */
export function mayUseSite(person: WithRoles, site: Site): boolean {
  const isStaffs = can(person, "site.staff");
  if (site === "staff") return isStaffs;
  if (site === "public") return !isStaffs && can(person, "site.public");
  return isStaffs || can(person, "site.public");
}

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
