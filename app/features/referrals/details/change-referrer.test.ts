import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { aPerson } from "../../../../tests/factories/people";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { changeReferrer } from "./operations.server";

forEachDatabase("editing an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let surgeon: Person;
  let dentist: Person;
  let stranger: Person;
  let referralId: number;
  const { open } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, surgeon, dentist, stranger, referralId } = given);
  });

  test("staff change the referrer within the clinic; only an admin to another clinic", async () => {
    const { version: seenVersion } = await open();
    const { clinicIds } = dentist;
    const colleague = await aPerson(portal, { role: "Dentist", clinicIds, dentistExternalId: null });
    await portal.as(surgeon, changeReferrer, { referralId, seenVersion, referrerId: colleague.id });
    expect((await open()).referrer).toMatchObject({
      name: `${colleague.firstName} ${colleague.lastName}`,
      externalId: null,
    });
    // Repeating the same choice raises no version and writes no log line.
    const { flash } = await portal.as(surgeon, changeReferrer, { referralId, seenVersion, referrerId: colleague.id });
    expect([flash?.text, (await open()).version]).toEqual([
      `${colleague.firstName} ${colleague.lastName} er allerede henviser.`,
      seenVersion + 1,
    ]);
    await expect(
      portal.as(surgeon, changeReferrer, { referralId, seenVersion: seenVersion + 1, referrerId: stranger.id }),
    ).rejects.toMatchObject({
      name: "otherClinic",
      text: "Forbudt at tildele besøg til en anden klinik.",
    });
    await expect(portal.as(surgeon, saveReferrer, { referralId, referrerId: stranger.id })).rejects.toMatchObject({
      name: "otherClinic",
    });
    await portal.as(admin, changeReferrer, { referralId, seenVersion: seenVersion + 1, referrerId: stranger.id });
    const { clinicId } = await portal.db
      .selectFrom("referral")
      .select("clinicId")
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();
    expect(clinicId).toBe(stranger.primaryClinicId);
    const both = { referralId, seenVersion: seenVersion + 2, referrerId: dentist.id, changeClinic: "on" };
    await expect(portal.as(admin, changeReferrer, both)).rejects.toMatchObject({
      name: "invalid",
      fields: { clinicId: ["Vælg en klinik."] },
    });
    await expect(
      portal.as(admin, changeReferrer, { ...both, clinicId: stranger.primaryClinicId }),
    ).rejects.toMatchObject({
      fields: { clinicId: ["Henviseren hører ikke til den klinik."] },
    });
  });
});
