import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { purgeDueFiles } from "~/features/maintenance/operations.server";
import { CLOSED } from "~/features/referrals/model/statuses";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { aRadiograph, uploadRadiograph } from "../../../../tests/factories/radiographs";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { removeRadiograph } from "./change-radiographs.server";
import { deleteRadiograph, restoreFile } from "./operations.server";
import { readImage } from "./read-images.server";

forEachDatabase("images of an open referral", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  const { read, open } = openReferralPortal(dialect, (given) => {
    ({ portal, admin, dentist, referralId } = given);
  });

  const refusedAs = (name: string) => expect.objectContaining({ name });
  async function add(who: Person, fileName: string, type?: 0 | 4): Promise<number> {
    await aRadiograph(portal, who, referralId, fileName, type);
    return (await open()).images.shown.find(({ name }) => name === fileName)!.id;
  }

  test("lists deleted files until the purge; restoring makes no duplicate", async () => {
    const fileId = await add(dentist, "48.jpg");
    const dicomId = await add(dentist, "snit.dcm", 4);
    // No file is deleted while an image waits for the archive.
    await portal.db.updateTable("outbox").set({ outcome: "sent" }).where("referralId", "=", referralId).execute();
    const { statusVersion: seenVersion } = await open();
    const closed = await portal.as(admin, setStatus, {
      referralId,
      status: CLOSED,
      seenVersion,
      isDeleteAttachments: "true",
    });
    expect(closed.flash?.text).toContain("2 filer er slettet");
    expect((await open()).deletedFiles).toEqual([
      { id: dicomId, name: "snit.dcm", kindLabel: "Røntgenbilleder", deletedOn: "01.12.2026", lastDay: "31.12.2026" },
      { id: fileId, name: "48.jpg", kindLabel: "Røntgenbilleder", deletedOn: "01.12.2026", lastDay: "31.12.2026" },
    ]);
    expect((await read(dentist)).deletedFiles).toEqual([]);

    const bytes = await buffer(
      await portal.files.openRead(
        (
          await portal.db
            .selectFrom("storedFile")
            .select("storageKey")
            .where("fileName", "=", "48.jpg")
            .orderBy("id", "desc")
            .executeTakeFirstOrThrow()
        ).storageKey,
      ),
    );
    await uploadRadiograph(portal, dentist, referralId, "48 igen.jpg", { bytes, type: 0 });
    expect((await open()).deletedFiles.map(({ name }) => name)).toEqual(["snit.dcm"]);
    const refused = await portal.as(admin, restoreFile, { referralId, fileId });
    expect([refused.flash?.text, (await open()).images.shown.map(({ name }) => name)]).toEqual([
      "48.jpg er uploadet igen og ligger der allerede.",
      ["48 igen.jpg"],
    ]);
    await portal.as(admin, restoreFile, { referralId, fileId: dicomId });
    expect((await open()).images.shown.map(({ name }) => name)).toEqual(["snit.dcm", "48 igen.jpg"]);

    await portal.db
      .updateTable("storedFile")
      .set({ purgeAfter: portal.clock.now().toISOString() })
      .where("purgeAfter", "is not", null)
      .execute();
    await expect(portal.as(admin, restoreFile, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));
  });

  test("a deleted image is hidden, can be restored, and is purged in time", async () => {
    const fileId = await add(dentist, "48.jpg");
    const { version: seenVersion } = await open();
    await expect(portal.as(dentist, deleteRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("notAllowed"));
    const { to } = await portal.as(admin, deleteRadiograph, {
      referralId,
      fileId,
      to: `/management/overview/${referralId}?sort=1&slettet=7`,
    });
    expect(to).toBe(`/management/overview/${referralId}?sort=1&slettet=${fileId}#billeder`);
    const hidden = await open();
    expect([hidden.images.shown, hidden.version, hidden.log[0]?.what]).toEqual([
      [],
      seenVersion + 1,
      "48.jpg er slettet",
    ]);
    expect((await portal.as(admin, deleteRadiograph, { referralId, fileId })).to, "a second press").toBe(
      `/management/overview/${referralId}?slettet=${fileId}#billeder`,
    );
    await expect(portal.as(admin, readImage, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));

    for (let press = 0; press < 2; press += 1) await portal.as(admin, restoreFile, { referralId, fileId });
    const back = await open();
    expect([back.images.count, back.version, back.log[0]?.what]).toEqual([
      1,
      seenVersion + 2,
      "48.jpg er hentet tilbage",
    ]);
    await purgeDueFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    expect((await open()).images.shown, "a restored file is not purged").toHaveLength(1);

    await portal.as(admin, deleteRadiograph, { referralId, fileId });
    await purgeDueFiles(portal, new Date(portal.clock.now().getTime() + 90 * 86_400_000));
    await expect(portal.as(admin, restoreFile, { referralId, fileId })).rejects.toEqual(refusedAs("fileMissing"));
  });

  test("nothing is deleted while a queued letter needs the files", async () => {
    const fileId = await add(dentist, "48.jpg");
    await portal.db
      .transaction()
      .execute((tx) =>
        portal
          .outboxIn(tx)
          .email({ kind: "dischargeLetter", to: "h@eksempel.dk", subject: "Brev", text: "x", html: "x", referralId }),
      );
    await expect(portal.as(admin, deleteRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("filesNeeded"));
    await expect(portal.as(admin, removeRadiograph, { referralId, fileId })).rejects.toEqual(refusedAs("filesNeeded"));
    expect((await open()).images.shown).toHaveLength(1);
  });
});
