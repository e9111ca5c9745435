import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { storeLetter } from "~/files/store-file.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { dischargeLettersPortal, type Mail } from "../../../tests/support/portals/discharge-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { downloadLetter } from "./read-discharge-letters.server";
import { resendLetter } from "./queue-letter.server";
import { letterBody, parsePhrase, withPhraseAt } from "./letter-text";
import { previewLetter, readLetterForm, writeLetter } from "./write-letter.server";
import { beginLetter, uploadLetter } from "./upload-letter.server";

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

  test("a PDF for the next number makes the letter and mails the referrer a link", async () => {
    await upload();
    expect(await letter()).toMatchObject({ status: 0, attempts: 1, letterFile: "brev_1.pdf", canWithdraw: true });
    expect(await referral()).toMatchObject({ hasDischargeLetter: true, dischargeSentAt: null });
    await work();
    expect(mails).toHaveLength(1);
    const [{ to, subject, text, html }] = mails as [Mail];
    expect(to).toBe(dentist.email);
    const link = `https://www.eksempel.dk/management?vid=${referralId}&mid=${dentist.id}&trmPdf=true&num=1`;
    expect(text).toContain(link);
    expect(html).toContain(`href="${link.replaceAll("&", "&amp;")}"`);
    for (const part of [subject, text, html]) {
      expect(part).not.toContain("Søren");
      expect(part).not.toContain("Møller");
      expect(part).not.toContain("610180");
      expect(part).not.toContain("((");
      expect(part).not.toContain("trmZip");
    }
    expect(await letter()).toMatchObject({ status: 1, error: null, recipient: dentist.email });
    expect((await letter()).sentAt).toBe("2026-12-01T09:00:00.000Z");
    expect((await referral()).dischargeSentAt).toBe("2026-12-01T09:00:00.000Z");
  });

  test("with X-rays the mail leads to the ZIP too, without sending the letter again", async () => {
    await upload();
    await addImage();
    await work();
    await addImage(1, "kontrol.jpg");
    expect((await work()).data).toEqual({ sent: false });
    expect((await letter()).imageFiles).toEqual(["kontrol.jpg"]);
    await portal.as(admin, resendLetter, { referralId, ...one });
    await work();
    expect(mails).toHaveLength(2);
    expect(mails[1]!.text).toContain(`vid=${referralId}&mid=${dentist.id}&trmZip=true&num=1`);
    const zip = await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "zip" });
    expect((await buffer(await zip.open())).includes("kontrol.jpg")).toBe(true);
    const image = await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "images" });
    expect(image.fileName).toBe("kontrol.jpg");
  });

  test("an image that names another patient is refused, and nothing is changed", async () => {
    await upload();
    const others = portal.secrets.lookup("cpr", "010190-1234");
    await expect(addImage(1, "anden.dcm", { dicomCprHash: others })).rejects.toMatchObject({ name: "fileRefused" });
    expect((await letter()).imageFiles).toEqual([]);
  });

  test("refuses a letter for a referral without a referrer", async () => {
    await portal.db.updateTable("referral").set({ referrerId: null }).where("id", "=", referralId).execute();
    await expect(upload()).rejects.toMatchObject({ name: "invalid", text: "Vælg henviser først" });
    expect(await letters()).toEqual([]);
    expect(await referral()).toMatchObject({ hasDischargeLetter: false });
  });

  test("refuses a number beyond the next, no file, and another clinic's dentist", async () => {
    await expect(upload(3)).rejects.toMatchObject({ name: "notInScope" });
    await expect(
      portal.as(admin, uploadLetter, { referralId, letterNumber: 1, formKey: "none" }),
    ).rejects.toMatchObject({ name: "invalid", fields: { letterPdf: ["Vælg en PDF-fil."] } });
    expect(await letters()).toEqual([]);
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(portal.as(stranger, readOpenReferral, { referralId })).rejects.toMatchObject({
      name: "notInScope",
    });
    await expect(portal.as(dentist, resendLetter, { referralId, ...one })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });

  test("a letter begun without its PDF is shown as one, and is begun once", async () => {
    await portal.as(admin, beginLetter, { referralId });
    await portal.as(admin, beginLetter, { referralId });
    expect(await letters()).toMatchObject([{ number: 1, status: null, letterFile: null, sentAt: null }]);
    await expect(portal.as(admin, resendLetter, { referralId, ...one })).rejects.toMatchObject({
      name: "fileMissing",
      text: "Pdf-filen mangler",
    });
    await upload();
    await portal.as(admin, beginLetter, { referralId });
    expect((await letters()).map(({ number }) => number)).toEqual([2, 1]);
  });

  test("a new PDF replaces the former: a queued mail leads to it, a sent one is followed", async () => {
    await upload(1, "første.pdf");
    await upload(1, "rettet.pdf");
    expect(await outbox()).toHaveLength(1);
    await work();
    await upload(1, "rettet igen.pdf");
    await work();
    expect(mails).toHaveLength(2);
    expect((await letter()).letterFile).toBe("rettet igen.pdf");
    const purged = await portal.db
      .selectFrom("storedFile")
      .select("fileName")
      .where("purgeAfter", "is not", null)
      .where("fileName", "in", ["første.pdf", "rettet.pdf", "rettet igen.pdf"])
      .orderBy("id")
      .execute();
    expect(purged.map(({ fileName: name }) => name)).toEqual(["første.pdf", "rettet.pdf"]);
  });

  test("a chosen standard phrase is added to what was typed, in a line of its own", async () => {
    const { data } = await portal.as(admin, previewLetter, {
      treatment: "48 er fjernet.\n",
      treatmentPhrase: "Sutureret.",
      medicinePhrase: "Ingen.",
      followUp: "Om en uge.",
    });
    expect(data?.values).toEqual({
      diagnosis: "",
      treatment: "48 er fjernet.\nSutureret.",
      medicine: "Ingen.",
      followUp: "Om en uge.",
    });
  });

  test.each([
    ["", 0, "Sutureret.", 10],
    ["48 er fjernet.", 0, "48 er fjernet.\nSutureret.", 25],
    ["48 er fjernet.\n", 15, "48 er fjernet.\nSutureret.", 25],
    ["48 er fjernet. Skyllet.", 14, "48 er fjernet. Sutureret. Skyllet.", 25],
    ["48 er fjernet.\nSkyllet.", 15, "48 er fjernet.\nSutureret. Skyllet.", 25],
  ])("a phrase goes to the cursor of %j at %i, or to the end", (text, at, becomes, cursor) => {
    expect(withPhraseAt(text, "Sutureret.", at)).toEqual({ text: becomes, cursor });
  });

  test("a standard phrase may have a name before its text", () => {
    expect(["Visdomstand = 48 er fjernet = ude.", "Ingen."].map(parsePhrase)).toEqual([
      { name: "Visdomstand", text: "48 er fjernet = ude." },
      { name: "Ingen.", text: "Ingen." },
    ]);
  });

  test("a written letter returns to the referral's list, and to no other site", async () => {
    const typed = { diagnosis: "Retineret 48", treatment: "48 er fjernet." };
    const write = (to?: string) => portal.as(admin, writeLetter, { referralId, ...one, ...typed, to });
    const page = `/management/overview/${referralId}`;
    expect((await write(`${page}?sort=8`)).to).toBe(`${page}?sort=8#udskrivningsbrev`);
    expect((await write("//andre.example")).to).toBe("/management/overview#udskrivningsbrev");
    expect((await write()).to).toBe(`${page}#udskrivningsbrev`);
  });

  test("a written letter becomes a PDF, takes the chosen radiographs and goes alike", async () => {
    const stored = await storeLetter(portal, { name: "48.jpg", pdf: Buffer.from("a picture") });
    const fileId = await insertStoredFile(portal.db, { ...stored, mime: "image/jpeg" }, portal.clock.now());
    const { insertId } = await portal.db
      .insertInto("referralFile")
      .values({
        referralId,
        kind: "radiograph",
        radiographType: 0,
        storedFileId: fileId,
        uploadedAt: "2026-12-01T09:00:00.000Z",
        uploaderId: null,
        deletedAt: null,
      })
      .executeTakeFirstOrThrow();
    const form = await portal.as(admin, readLetterForm, { referralId, ...one });
    expect(form.images).toEqual([{ id: Number(insertId), fileName: "48.jpg" }]);
    const typed = { diagnosis: "Retineret 48", treatment: "48 er fjernet i lokalbedøvelse.", followUp: "Ingen." };
    await portal.as(admin, writeLetter, { referralId, ...one, ...typed, images: [String(insertId)] });
    expect(await letter()).toMatchObject({
      status: 0,
      letterFile: `Udskrivningsbrev_${referralId}_1.pdf`,
      imageFiles: ["48.jpg"],
    });
    const { open } = await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "pdf" });
    expect((await buffer(await open())).subarray(0, 5).toString()).toBe("%PDF-");
    // The letter keeps its copy after the referral's image is deleted.
    const copy = await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "images" });
    await portal.files.remove(stored.storageKey);
    expect((await buffer(await copy.open())).toString()).toBe("a picture");
    await work();
    expect(mails).toHaveLength(1);
    const body = letterBody({ ...typed, medicine: " " }, { ...form.about, images: ["48.jpg"] });
    expect(body).toContain("Diagnose\nRetineret 48");
    expect(body).not.toContain("Medicin");
    await expect(
      portal.as(admin, writeLetter, {
        referralId,
        letterNumber: 2,
        ...typed,
        treatment: "Lang tekst. ".repeat(240),
        medicine: "Mere. ".repeat(480),
        followUp: "Og mere. ".repeat(320),
      }),
    ).rejects.toMatchObject({ name: "invalid", text: "Brevet fylder mere end to sider. Forkort teksten." });
    expect(await letters()).toHaveLength(1);
  });
});
