import { describe, expect, test } from "vitest";
import type { LinkPurpose, Role } from "./actor";
import { can, type Permission } from "./permissions";

const roles: Role[] = ["Admin", "Surgeon", "Secretary", "Dentist Secretary", "Dentist"];

/**
 * The permission matrix, written independently from the rules. A admin, S surgeon, C secretary, D dentist secretary, T
 * dentist, Y system, * anybody; 1 to 3 a patient with a link to radiographs, a letter, an appointment.
 */
const matrix: Record<Permission, string> = {
  public: "*",
  development: "*",
  system: "Y",
  signedIn: "ASCDT",
  "account.manage": "ASCDT",
  "account.secondFactor": "ASCDT",
  "account.readInfoPopup": "CD",
  "site.staff": "AS",
  "site.public": "CDT",
  "referral.seeAll": "ASY",
  "draft.seeAll": "ASY",
  "referral.seeClinic": "CD",
  "referral.seeOwn": "T",
  "directory.seeAll": "AS",
  "directory.manage": "ASCD",
  "directory.manageAll": "AS",
  "directory.merge": "AS",
  "referral.read": "ASCDT",
  "referral.write": "ASCDT",
  "referral.setStatus": "AS",
  "referral.export": "AS",
  "referral.editSent": "AS",
  "referral.changeClinic": "A",
  "settings.setUp": "A",
  "referral.chooseReferrer": "ASCD",
  "referral.createReferrer": "CD",
  "upload.stage": "ASCDT",
  "referral.chooseVisitType": "AS",
  "referral.readInternal": "AS",
  "referral.readProvenance": "AS",
  "referral.regeneratePdf": "AS",
  "billing.read": "ASCDT",
  "referral.followOwnPatients": "S",
  "appointments.import": "AS",
  "message.write": "ASCDT",
  "message.answer": "AS",
  "patientMessage.send": "AS",
  "dischargeLetter.manage": "AS",
  "parking.manage": "AS",
  "edi.manage": "AS",
  "audit.read": "AS",
  "delivery.readLogs": "AS",
  "delivery.test": "AS",
  "statistics.read": "AS",
  "settings.manage": "AS",
  "apiKey.manage": "AS",
  "patient.radiographLink": "1",
  "patient.letterFilesLink": "2",
  "patient.appointmentAnswer": "3",
  "patient.caseLink": "4",
};

const letters: Record<Role, string> = {
  Admin: "A",
  Surgeon: "S",
  Secretary: "C",
  "Dentist Secretary": "D",
  Dentist: "T",
};
const purposes: LinkPurpose[] = ["radiographLink", "letterFilesLink", "appointmentAnswer", "caseLink"];
const entries = Object.entries(matrix) as [Permission, string][];
const person = (...of: Role[]) => ({ kind: "person" as const, roles: of });

describe.each(entries)("%s", (permission, holders) => {
  const isAnybodys = holders === "*";
  test.each(roles)("%s", (role) => {
    expect(can(person(role), permission)).toBe(isAnybodys || holders.includes(letters[role]));
  });
  test("the system", () => {
    expect(can({ kind: "system", job: "test" }, permission)).toBe(isAnybodys || holders.includes("Y"));
  });
  test("grants nothing to no role, an unknown role or an anonymous caller", () => {
    const strange = ["Hygienist", "constructor", "toString"] as unknown as Role[];
    for (const actor of [person(), person(...strange), { kind: "anonymous" as const }])
      expect(can(actor, permission)).toBe(isAnybodys);
  });
  test.each(purposes)("a patient's link of the kind %s", (purpose) => {
    const link = { kind: "patientToken" as const, referralId: 1, purpose, letterNumber: null, operationMoment: null };
    const letter = String(purposes.indexOf(purpose) + 1);
    expect(can(link, permission)).toBe(isAnybodys || holders.includes(letter));
  });
  test("grants two roles what either of them grants", () => {
    expect(can(person("Secretary", "Dentist"), permission)).toBe(isAnybodys || /[CT]/.test(holders));
  });
});
