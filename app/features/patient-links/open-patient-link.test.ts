import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { sendLetterToPatient } from "~/features/discharge-letters/operations.server";
import { closed, patientLinksPortal, SMS } from "../../../tests/support/portals/patient-links-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { unzip } from "../../../tests/support/unzip";
import {
  downloadLinkedRadiograph,
  downloadLinkedRadiographs,
  downloadLinkedLetter,
  readLinkedLetter,
  readLinkedRadiographs,
} from "./open-patient-link.server";

forEachDatabase("links to a patient's files", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  const { addImage, send, work, messages, token, open } = patientLinksPortal(dialect, (begun) => {
    ({ portal, admin, referralId } = begun);
  });

  test("the link in the SMS opens the images, byte for byte, and the named ZIP", async () => {
    const bytes = await addImage("Kæbe 48.jpg");
    await send(SMS);
    const link = await token();
    expect((await messages())[0]).toMatchObject({ kind: "radiographLink", channel: "sms", to: "+4540123456" });
    await work("sms");
    const page = await open(readLinkedRadiographs, link);
    expect(page.files).toEqual([
      { id: expect.any(Number) as number, fileName: "Kæbe 48.jpg", sizeBytes: bytes.length, isDicom: false },
    ]);
    const one = await open(downloadLinkedRadiograph, link, { fileId: page.files[0]!.id });
    expect(Buffer.compare(await buffer(await one.open()), bytes)).toBe(0);
    const zip = await open(downloadLinkedRadiographs, link);
    expect(zip.fileName).toBe(`${page.clinicName}.zip`);
    const [[name, content], ...others] = unzip(await buffer(await zip.open())) as [[string, Buffer], ...unknown[]];
    expect([name, others]).toEqual(["Kaebe 48.jpg", []]);
    expect(Buffer.compare(content, bytes)).toBe(0);
  });

  test("a DICOM file that names another patient is not part of the link", async () => {
    await addImage("fremmed.dcm", 4);
    await expect(send(SMS)).rejects.toMatchObject({ name: "invalid", text: "Der er ingen røntgenbilleder at sende." });
    await addImage("egen.jpg");
    await send(SMS);
    expect((await open(readLinkedRadiographs, await token())).files.map(({ fileName }) => fileName)).toEqual([
      "egen.jpg",
    ]);
  });

  test("withdraws the message when its files are gone, and the page says so", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await portal.db
      .updateTable("referralFile")
      .set({ deletedAt: "2026-12-01T09:00:00.000Z" })
      .where("referralId", "=", referralId)
      .execute();
    expect((await open(readLinkedRadiographs, link)).files).toEqual([]);
    await work("sms");
    expect((await messages())[0]).toMatchObject({ outcome: "withdrawn", detail: "Filerne er slettet" });
    await portal.db
      .updateTable("referral")
      .set({ deletedAt: "2026-12-01T09:00:00.000Z" })
      .where("id", "=", referralId)
      .execute();
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
  });

  test("a file of another referral is not behind the link, nor is the letter", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    const own = (await open(readLinkedRadiographs, link)).files[0]!.id;
    for (const fileId of [own - 1, own + 1, 999_999])
      await expect(open(downloadLinkedRadiograph, link, { fileId })).rejects.toMatchObject({ name: "fileMissing" });
    await expect(open(readLinkedLetter, link)).rejects.toMatchObject(closed);
  });

  test("a letter is fetched by its own link, and a deleted letter says so", async () => {
    await addImage("48.jpg");
    const file = await portal.db
      .selectFrom("referralFile")
      .select("storedFileId")
      .where("referralId", "=", referralId)
      .executeTakeFirstOrThrow();
    await portal.db
      .insertInto("dischargeLetter")
      .values({
        referralId,
        letterNumber: 1,
        diagnosisFileId: file.storedFileId,
        status: 1,
        errorMessage: null,
        sendDate: null,
        recipientEmail: null,
        surgeonEmail: null,
        attempts: 1,
        isEdi: false,
        sendEdiAsEmail: false,
        createdAt: "2026-12-01T09:00:00.000Z",
        deletedAt: null,
      })
      .execute();
    await expect(
      portal.as(admin, sendLetterToPatient, { referralId, letterNumber: 2, messageType: SMS }),
    ).rejects.toMatchObject({ name: "notInScope" });
    await portal.as(admin, sendLetterToPatient, { referralId, letterNumber: 1, messageType: SMS });
    const link = await token();
    expect(await open(readLinkedLetter, link)).toMatchObject({ hasFiles: true });
    expect((await open(downloadLinkedLetter, link)).fileName).toMatch(/\.zip$/);
    await expect(open(readLinkedRadiographs, link)).rejects.toMatchObject(closed);
    await portal.db
      .updateTable("dischargeLetter")
      .set({ deletedAt: "2026-12-01T09:00:00.000Z" })
      .where("referralId", "=", referralId)
      .execute();
    expect(await open(readLinkedLetter, link)).toMatchObject({ hasFiles: false });
  });

  test("audits every opening with its referral and without the token", async () => {
    await addImage("48.jpg");
    await send(SMS);
    const link = await token();
    await open(readLinkedRadiographs, link);
    await open(downloadLinkedRadiographs, link);
    await portal.audit.flush();
    const rows = await portal.db
      .selectFrom("auditEvent")
      .innerJoin("auditReferral", "auditReferral.auditEventId", "auditEvent.id")
      .select(["operation", "actorKind", "outcome", "detail"])
      .where("auditReferral.referralId", "=", referralId)
      .where("actorKind", "=", "patientToken")
      .orderBy("auditEvent.id")
      .execute();
    expect(rows.map(({ operation, outcome }) => [operation, outcome])).toEqual([
      ["readLinkedRadiographs", "seen"],
      ["downloadLinkedRadiographs", "seen"],
    ]);
    expect(JSON.stringify(rows)).not.toContain(link);
  });
});
