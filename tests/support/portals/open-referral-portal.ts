import { afterAll, beforeAll, beforeEach } from "vitest";
import type { Person } from "~/access/actor";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

interface OpenReferral {
  portal: TestPortal;
  admin: Person;
  surgeon: Person;
  dentist: Person;
  secretary: Person;
  /** A dentist of another clinic. */
  stranger: Person;
  referralId: number;
}

/** A portal for the tests of one file; before each of them `begun` is handed it, with a referral of its own that the dentist has sent. */
export function openReferralPortal(dialect: Dialect, begun: (given: OpenReferral) => void) {
  let given: OpenReferral;
  beforeAll(async () => {
    const portal = await createTestPortal(dialect);
    const clinicIds = [await aClinic(portal)];
    given = {
      portal,
      admin: await aPerson(portal, { role: "Admin" }),
      surgeon: await aPerson(portal, { role: "Surgeon" }),
      dentist: await aPerson(portal, { role: "Dentist", clinicIds }),
      secretary: await aPerson(portal, { role: "Secretary", clinicIds }),
      stranger: await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] }),
      referralId: 0,
    };
  });
  afterAll(() => given.portal.close());
  beforeEach(async () => {
    given.referralId = await aReferral(given.portal, given.dentist);
    begun(given);
  });

  /** With the form of the part `edit`, if it names one. */
  const read = (person: Person, edit?: string, referralId = given.referralId) =>
    given.portal.as(person, readOpenReferral, { referralId, edit });
  /** As its page shows it. */
  const open = async (person = given.admin, edit?: string) => presentReferral(await read(person, edit));
  const set = (columns: Record<string, unknown>) =>
    given.portal.db.updateTable("referral").set(columns).where("id", "=", given.referralId).execute();

  return { read, open, set };
}
