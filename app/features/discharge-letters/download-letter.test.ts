import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { storeUpload } from "~/files/store-file.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadLetter } from "./read-discharge-letters.server";
import { aPdf } from "../../../tests/support/pdf";

const pdf = aPdf();

forEachDatabase("discharge letters", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let stranger: Person;
  let referralId: number;

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    referralId = await aReferral(portal, dentist);
    const file = path.join(os.tmpdir(), `${process.pid}-${dialect}.pdf`);
    await writeFile(file, pdf);
    const uploaded = await storeUpload(portal, file, "Udskrivningsbrev.pdf", "approval", { requestedBy: "test" });
    if ("refused" in uploaded) throw new Error(uploaded.refused);
    const letter = {
      referralId,
      errorMessage: null,
      sendDate: null,
      recipientEmail: null,
      surgeonEmail: null,
      attempts: 0,
      isEdi: false,
      sendEdiAsEmail: false,
      createdAt: "2026-12-01T09:00:00.000Z",
      deletedAt: null,
      status: 0,
    };
    const fileId = await insertStoredFile(portal.db, uploaded.accepted, portal.clock.now());
    await portal.db
      .insertInto("dischargeLetter")
      .values([
        { ...letter, letterNumber: 1, diagnosisFileId: fileId },
        { ...letter, letterNumber: 2, diagnosisFileId: null },
      ])
      .execute();
  });
  afterAll(() => portal.close());

  test("the referrer downloads the letter or a ZIP, and the audit names whom it was for", async () => {
    const letter = await portal.as(dentist, downloadLetter, { referralId, letterNumber: 1, kind: "pdf", mailedTo: 77 });
    expect(await buffer(await letter.open())).toEqual(pdf);
    const zip = await buffer(
      await (await portal.as(dentist, downloadLetter, { referralId, letterNumber: 1, kind: "zip" })).open(),
    );
    expect(zip.includes(pdf)).toBe(true);
    await portal.audit.flush();
    const audit = await portal.db
      .selectFrom("auditEvent")
      .select("detail")
      .where("operation", "=", "downloadLetter")
      .where("detail", "is not", null)
      .execute();
    expect(audit).toEqual([{ detail: "mailed to user 77" }]);
  });

  test("reports a letter without its file, and hides it from another clinic's dentist", async () => {
    await expect(
      portal.as(dentist, downloadLetter, { referralId, letterNumber: 2, kind: "pdf" }),
    ).rejects.toMatchObject({ name: "fileMissing", text: "Pdf-filen mangler" });
    for (const letterNumber of [1, 2, 3])
      await expect(
        portal.as(stranger, downloadLetter, { referralId, letterNumber, kind: "pdf" }),
      ).rejects.toMatchObject({ name: "notInScope" });
  });
});
