import type { LinkPurpose, Role, WithRoles, KeyGrant, KeyScope } from "./actor";

export type { Role, WithRoles } from "./actor";

/** All permissions (docs/access.md). Each operation names one; `can` checks it; `grants` assigns them. */
export type Permission =
  | "public"
  | "development"
  | "system"
  /** Everything a signed-in person may do before accepting the conditions. */
  | "signedIn"
  | "account.manage"
  | "account.secondFactor"
  | "account.readInfoPopup"
  /** Use of the staff host, with its shorter sessions. */
  | "site.staff"
  /** Use of the public host; denied to those who use the staff host. */
  | "site.public"
  /** Row scope: all referrals. Without it those of one's clinics, or those one referred or wrote (scope.server.ts). */
  | "referral.seeAll"
  /** The same of drafts. */
  | "draft.seeAll"
  | "referral.seeClinic"
  | "referral.seeOwn"
  /** Row scope: all users and clinics. Without it those of one's own clinics. */
  | "directory.seeAll"
  | "directory.manage"
  /** Create staff accounts and clinics; manage memberships, staff, EDI ids and a clinic's status. */
  | "directory.manageAll"
  | "directory.merge"
  | "referral.read"
  | "referral.write"
  | "referral.setStatus"
  | "referral.export"
  | "referral.editSent"
  /** Let a referral follow a new referrer into another clinic (docs/rules/people-and-clinics.md). */
  | "referral.changeClinic"
  | "referral.chooseReferrer"
  | "referral.createReferrer"
  | "upload.stage"
  | "referral.chooseVisitType"
  /** The clinic's internal data: internal statuses and marks, the log, deliveries, the archive. */
  | "referral.readInternal"
  | "referral.readProvenance"
  | "referral.regeneratePdf"
  | "billing.read"
  | "referral.followOwnPatients"
  | "appointments.import"
  | "message.write"
  /** Write on the clinic's side of a thread; everybody else writes on the referrer's side. */
  | "message.answer"
  | "patientMessage.send"
  | "dischargeLetter.manage"
  | "audit.read"
  | "parking.manage"
  | "edi.manage"
  | "delivery.readLogs"
  | "delivery.test"
  /** A patient's permissions by link: fetch radiographs, fetch a discharge letter, answer an appointment, follow the case. */
  | `patient.${LinkPurpose}`
  | "statistics.read"
  | "settings.manage"
  /** See what a new portal still lacks before the clinic can begin. */
  | "settings.setUp"
  | "apiKey.manage";

const account = ["signedIn", "account.manage", "account.secondFactor"] as const;
const referring = ["referral.read", "referral.write", "message.write", "upload.stage", "billing.read"] as const;
const clinic = [
  ...account,
  ...referring,
  "site.staff",
  "referral.seeAll",
  "draft.seeAll",
  "directory.seeAll",
  "directory.manage",
  "directory.manageAll",
  "directory.merge",
  "referral.setStatus",
  "referral.export",
  "referral.editSent",
  "referral.chooseReferrer",
  "referral.chooseVisitType",
  "referral.readInternal",
  "referral.readProvenance",
  "referral.regeneratePdf",
  "appointments.import",
  "message.answer",
  "patientMessage.send",
  "dischargeLetter.manage",
  "parking.manage",
  "edi.manage",
  "audit.read",
  "delivery.readLogs",
  "delivery.test",
  "statistics.read",
  "settings.manage",
  "apiKey.manage",
] as const;
const secretary = [
  ...account,
  ...referring,
  "site.public",
  "account.readInfoPopup",
  "referral.seeClinic",
  "directory.manage",
  "referral.chooseReferrer",
  "referral.createReferrer",
] as const;

/** One table for the buttons shown and for what the server refuses. Anything not listed is denied. */
const grants: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  Admin: new Set([...clinic, "referral.changeClinic", "settings.setUp"]),
  Surgeon: new Set([...clinic, "referral.followOwnPatients"]),
  Secretary: new Set(secretary),
  "Dentist Secretary": new Set(secretary),
  Dentist: new Set([...account, ...referring, "site.public", "referral.seeOwn"]),
};

const grantsOfRole: ReadonlyMap<string, ReadonlySet<Permission>> = new Map(Object.entries(grants));

const grantsOfSystem: ReadonlySet<Permission> = new Set(["system", "referral.seeAll", "draft.seeAll"]);

const grantsOfScope: Readonly<Record<KeyScope, readonly Permission[]>> = {
  read: ["referral.read", "billing.read"],
  refer: ["referral.read", "referral.write", "referral.chooseReferrer", "upload.stage"],
  messages: ["referral.read", "message.write", "upload.stage"],
  appointments: ["referral.read", "appointments.import", "upload.stage"],
  statistics: ["statistics.read"],
};

function mayByKey({ scopes, clinicId }: KeyGrant, permission: Permission): boolean {
  if (["referral.seeAll", "draft.seeAll", "directory.seeAll"].includes(permission)) return clinicId === null;
  if (permission === "referral.seeClinic") return clinicId !== null;
  if (permission === "message.answer") return clinicId === null && scopes.includes("messages");
  return scopes.some((scope) => grantsOfScope[scope].includes(permission));
}

const grantsOfAnybody: ReadonlySet<Permission> = new Set(["public", "development"]);

/** Whether any of the person's roles grants it. A person without roles has only the public permissions. */
export function can(actor: WithRoles, permission: Permission): boolean {
  if (grantsOfAnybody.has(permission)) return true;
  if (actor.kind === "system") return grantsOfSystem.has(permission);
  if (actor.kind === "patientToken") return permission === `patient.${actor.purpose}`;
  if (actor.kind === "apiKey") return actor.key !== undefined && mayByKey(actor.key, permission);
  return actor.kind === "person" && actor.roles.some((role) => grantsOfRole.get(role)?.has(permission) === true);
}
