import type { Portal } from "~/portal.server";
import type { WithRoles } from "./actor";
import type { Caller, Site } from "./caller";
import { pendingStep } from "./pending-step.server";
import { can, type Permission } from "./permissions";
import { Refusal } from "./refusal";

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
