import { isSecretary, isStaff, type WithRoles } from "./actor";

export type { Role, WithRoles } from "./actor";

/**
 * Every permission and who has it: one table for the button that is shown and for the server that refuses
 * (specification 1 §6, design/decisions.md, People and what they may see).
 */
const holders = {
  /** Nobody needs to be signed in. */
  public: () => true,
  signedIn: (actor: WithRoles) => actor.kind === "person",
  /** One's own profile and password: after the conditions have been accepted. */
  "account.manage": (actor: WithRoles) => actor.kind === "person",
  /** The referrals in one's own scope. */
  "referral.read": (actor: WithRoles) => actor.kind === "person" || actor.kind === "system",
  /** The wizard: begin, fill in and send. */
  "referral.write": (actor: WithRoles) => actor.kind === "person" || actor.kind === "system",
  "referral.setStatus": isStaff,
  /** Take patient data out as a file. */
  "referral.export": isStaff,
  /** Change a referral that has been sent. */
  "referral.editSent": isStaff,
  /** Let a referral follow its new referrer into another clinic (docs/decisions/0031). */
  "referral.changeClinic": (actor: WithRoles) => actor.kind === "person" && actor.roles.includes("Admin"),
  /** Choose somebody else as the referrer. */
  "referral.chooseReferrer": (actor: WithRoles) => isStaff(actor) || isSecretary(actor),
  /** Make a quick profile of a referrer in the wizard. */
  "referral.createReferrer": isSecretary,
  /** Say that a referral came by EDI and type its id. */
  "referral.chooseVisitType": isStaff,
  /** Who made it and who changed it last. */
  "referral.readProvenance": isStaff,
  "referral.regeneratePdf": isStaff,
  /** TU-status: value 10 is staff's alone. */
  "referral.readTuStatus": isStaff,
  /** Bring the daily file of patients' times, and import it. */
  "appointments.import": isStaff,
  /** Write in the dialogue of a referral in one's own scope, and mark it read. */
  "message.write": (actor: WithRoles) => actor.kind === "person",
  /** Where the clinic hears of new messages. */
  "message.setMail": isStaff,
  system: (actor: WithRoles) => actor.kind === "system",
  /** Pages that only exist outside production. */
  development: () => true,
} satisfies Record<string, (actor: WithRoles) => boolean>;

export type Permission = keyof typeof holders;

export const permissions = Object.keys(holders) as Permission[];

export function can(actor: WithRoles, permission: Permission): boolean {
  return holders[permission](actor);
}
