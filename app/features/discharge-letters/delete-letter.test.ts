import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { readReferral } from "~/features/referrals/details/read-referral.server";
import { dischargeLettersPortal, type Mail } from "../../../tests/support/portals/discharge-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { askDeleteLetter, declineLetters, deleteLetter, restoreLetter } from "./operations.server";
import { downloadLetter } from "./read-discharge-letters.server";
import { resendLetter } from "./queue-letter.server";
import { listDischargeLetters } from "./discharge-letter-list.server";

const one = { letterNumber: 1 };

forEachDatabase("discharge letters to referrers", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: Mail[];
  const { upload, addImage, letters, letter, referral, outbox, work } = dischargeLettersPortal(dialect, (begun) => {
    ({ portal, admin, dentist, referralId, mails } = begun);
  });

  test("a deleted letter is hidden, its mail withheld, its number not given again", async () => {
    await upload();
    await addImage();
    expect(await portal.as(admin, askDeleteLetter, { referralId, ...one })).toMatchObject({
      isQueued: true,
      imageNames: ["48.jpg"],
    });
    await portal.as(admin, deleteLetter, { referralId, ...one });
    expect((await work()).data).toEqual({ sent: false });
    expect(await letters()).toEqual([]);
    expect(await referral()).toMatchObject({ hasDischargeLetter: false });
    await expect(portal.as(dentist, downloadLetter, { referralId, ...one, kind: "pdf" })).rejects.toMatchObject({
      name: "notInScope",
    });
    await upload(2);
    expect((await letters()).map(({ number }) => number)).toEqual([2]);
    await portal.as(admin, deleteLetter, { referralId, letterNumber: 2 });
    expect(await outbox()).toMatchObject([{ outcome: "withdrawn" }, { outcome: "withdrawn" }]);
  });

  test("restoring a deleted letter restores its files but does not send its mail", async () => {
    await upload();
    await addImage();
    const { flash } = (await portal.as(admin, deleteLetter, { referralId, ...one })) as {
      flash: { undo: { intent: string; fields: object } };
    };
    expect(flash.undo).toEqual({ intent: "restoreLetter", fields: { referralId, ...one } });
    await portal.as(admin, restoreLetter, { referralId, ...one });
    expect(await letters()).toMatchObject([{ number: 1, letterFile: "brev_1.pdf", imageFiles: ["48.jpg"] }]);
    expect(await referral()).toMatchObject({ hasDischargeLetter: true });
    const files = await portal.db
      .selectFrom("storedFile")
      .innerJoin("dischargeLetter", "dischargeLetter.diagnosisFileId", "storedFile.id")
      .select("purgeAfter")
      .where("dischargeLetter.referralId", "=", referralId)
      .execute();
    expect(files).toEqual([{ purgeAfter: null }]);
    expect((await work()).data).toEqual({ sent: false });
    await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "pdf" });
    await portal.as(admin, restoreLetter, { referralId, ...one });
    await portal.as(admin, deleteLetter, { referralId, ...one });
    portal.clock.advance({ hours: 24 * 31 });
    await expect(portal.as(admin, restoreLetter, { referralId, ...one })).rejects.toMatchObject({
      name: "fileMissing",
    });
    await expect(portal.as(admin, restoreLetter, { referralId, letterNumber: 9 })).rejects.toMatchObject({
      name: "notInScope",
    });
  });

  test("a declined letter: its mail is withdrawn, and the referrer sees no letter", async () => {
    await upload();
    await portal.as(admin, declineLetters, { referralId, declined: "on" });
    expect(await outbox()).toMatchObject([{ outcome: "withdrawn" }]);
    expect(await letters(dentist)).toEqual([]);
    const sent = async (as: Person) => (await portal.as(as, readReferral, { referralId })).sections.letters.length;
    expect([await sent(dentist), await sent(admin)]).toEqual([0, 1]);
    for (const kind of ["pdf", "zip"])
      await expect(portal.as(dentist, downloadLetter, { referralId, ...one, kind })).rejects.toMatchObject({
        name: "notInScope",
      });
    const listed = (as: Person) => portal.as(as, listDischargeLetters, { filter: { visitNumber: referralId } });
    expect((await listed(dentist)).rows).toEqual([]);
    expect((await listed(admin)).rows).toHaveLength(1);
    await expect(portal.as(admin, resendLetter, { referralId, ...one })).rejects.toMatchObject({
      text: "Patienten har frabedt sig brev til henviser.",
    });
    await upload(2);
    expect(await letter(2)).toMatchObject({ letterFile: "brev_2.pdf", status: null });
    expect((await work()).data).toEqual({ sent: false });
    const log = await portal.db.selectFrom("visitLog").select("event").where("referralId", "=", referralId).execute();
    expect(log.map(({ event }) => event)).toContain("Patienten har frabedt sig brev til henviser");
    await portal.as(admin, declineLetters, { referralId, declined: "off" });
    await portal.as(admin, resendLetter, { referralId, letterNumber: 2 });
    await work();
    expect(mails).toHaveLength(1);
  });
});
