import type { LinkPurpose, Role, WithRoles } from "./actor";
import type { KeyGrant, KeyScope } from "./api-key-scopes";

export type { Role, WithRoles } from "./actor";

/** What can be permitted (docs/access.md). An operation names one; `can` asks for it; `grants` says who has it. */
export type Permission =
  /** Does not require signing in. */
  | "public"
  /** Pages that only exist outside production. */
  | "development"
  /** The portal's own jobs. */
  | "system"
  /** What every signed-in person with a role may do, also before they have accepted the conditions. */
  | "signedIn"
  /** One's own profile and password: after the conditions have been accepted. */
  | "account.manage"
  /** Have a second factor, which the configuration may require of them. */
  | "account.secondFactor"
  /** The message that secretaries find after signing in. */
  | "account.readInfoPopup"
  /** Uses the staff host, and has the shorter sessions that belong to it. */
  | "site.staff"
  /** Uses the public host; those who use the staff host do not. */
  | "site.public"
  /** Row scope: every referral, those of one's clinics, or those that one is the referrer of or wrote (scope.server.ts). */
  | "referral.seeAll"
  | "referral.seeClinic"
  | "referral.seeOwn"
  /** Row scope: every user and clinic; without it those of one's own clinics. */
  | "directory.seeAll"
  /** See and change the users and clinics in one's own scope, and make users there. */
  | "directory.manage"
  /** Make staff's accounts and clinics; change who belongs to several clinics, staff, EDI ids and a clinic's status. */
  | "directory.manageAll"
  /** Merge users or clinics into one of them, and undo it. */
  | "directory.merge"
  /** The referrals in one's own scope. */
  | "referral.read"
  /** The wizard: begin, fill in and send. */
  | "referral.write"
  | "referral.setStatus"
  /** Export patient data as a file. */
  | "referral.export"
  /** Change a referral that has been sent. */
  | "referral.editSent"
  /** Let a referral follow its new referrer into another clinic (docs/decisions/0023). */
  | "referral.changeClinic"
  /** Choose somebody else as the referrer. */
  | "referral.chooseReferrer"
  /** Make a quick profile of a referrer in the wizard. */
  | "referral.createReferrer"
  /** Bring files with a form; whether that form may be sent is asked by its own operation. */
  | "upload.stage"
  /** Say that a referral came by EDI and type its id. */
  | "referral.chooseVisitType"
  /** What the clinic notes for itself: internal statuses and marks, the log, what was sent and how it went, the archive. */
  | "referral.readInternal"
  /** Who made it and who changed it last. */
  | "referral.readProvenance"
  | "referral.regeneratePdf"
  /** See which of one's own patients have new messages. */
  | "referral.followOwnPatients"
  /** Bring the daily file of patients' times, and import it. */
  | "appointments.import"
  /** Write in the thread of a referral in one's own scope, and mark it read. */
  | "message.write"
  /** Stand on the clinic's side of the thread; everybody else stands on the referrer's. */
  | "message.answer"
  /** Write to patients: call them up, tell them of their time, send them what they shall pay. */
  | "patientMessage.send"
  /** Write, send, replace and delete discharge letters to referrers. */
  | "dischargeLetter.manage"
  /** Who saw or changed what. */
  | "audit.read"
  /** Book parking, and see who has booked. */
  | "parking.manage"
  /** Import what comes by EDI, see it, and decide on what waits for a person. */
  | "edi.manage"
  /** What was sent to whom and what became of it, and what failed. */
  | "delivery.readLogs"
  /** Test mail and SMS with a message to oneself. */
  | "delivery.test"
  /** What a patient who has opened a link may do: fetch the radiographs, fetch a discharge letter, answer an appointment. */
  | `patient.${LinkPurpose}`
  /** What the clinic counts: referrals, treatments, waits, and which pages are used. */
  | "statistics.read"
  /** Change what the clinic has set: its texts, its letterhead, whom messages come from. */
  | "settings.manage"
  /** Make and revoke the keys by which other systems call the API. */
  | "apiKey.manage";

const account = ["signedIn", "account.manage", "account.secondFactor"] as const;
const referring = ["referral.read", "referral.write", "message.write", "upload.stage"] as const;
const clinic = [
  ...account,
  ...referring,
  "site.staff",
  "referral.seeAll",
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

/** Who may what: one table for the button that is shown and for the server that refuses. What is not listed is denied. */
const grants: Readonly<Record<Role, ReadonlySet<Permission>>> = {
  Admin: new Set([...clinic, "referral.changeClinic"]),
  Surgeon: new Set([...clinic, "referral.followOwnPatients"]),
  Secretary: new Set(secretary),
  "Dentist Secretary": new Set(secretary),
  Dentist: new Set([...account, ...referring, "site.public", "referral.seeOwn"]),
};

/** By the role's name in the database; a name that is not in the table grants nothing. */
const grantsOfRole: ReadonlyMap<string, ReadonlySet<Permission>> = new Map(Object.entries(grants));

/** The worker, the commands and the demo data. */
const grantsOfSystem: ReadonlySet<Permission> = new Set(["system", "referral.seeAll"]);

/** The permissions of each scope of a key (docs/decisions/0101). What is not listed is denied. */
const grantsOfScope: Readonly<Record<KeyScope, readonly Permission[]>> = {
  read: ["referral.read"],
  refer: ["referral.read", "referral.write", "referral.chooseReferrer", "upload.stage"],
  messages: ["referral.read", "message.write", "upload.stage"],
  appointments: ["referral.read", "appointments.import", "upload.stage"],
  statistics: ["statistics.read"],
};

function mayByKey({ scopes, clinicId }: KeyGrant, permission: Permission): boolean {
  // Whose referrals: all, as staff see them, or one clinic's, as its secretaries do.
  if (permission === "referral.seeAll" || permission === "directory.seeAll") return clinicId === null;
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
