import { buffer } from "node:stream/consumers";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { reopenFailure, resendFailure } from "~/features/logs/handle-failure.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { insertStoredFile } from "~/files/stored-file-store.server";
import { storeLetter } from "~/files/store-letter.server";
import type { SendResult } from "~/gateways/sending/port";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { askDeleteLetter, deleteLetter } from "./delete-letter.server";
import { downloadLetter } from "./download-letter.server";
import { declineLetters } from "./letter-choices.server";
import { listDischargeLetters } from "./list-discharge-letters.server";
import { readDischargeLetters } from "./read-discharge-letters.server";
import { restoreLetter } from "./restore-letter.server";
import { resendLetter, withdrawLetter } from "./resend-letter.server";
import { letterBody } from "./letter-text";
import { readLetterForm, writeLetter } from "./write-letter.server";
import { beginLetter, uploadLetter, uploadLetterImages } from "./upload-letter.server";

interface Mail {
  to: string;
  subject: string;
  text: string;
  html: string;
}

const SENT: SendResult = { outcome: "sent", detail: "" };
const REFUSED: SendResult = { outcome: "refused", detail: "550 Ukendt modtager", reason: "noMailbox" };

forEachDatabase("discharge letters to referrers", (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: Mail[];
  let keys = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, { env: { PUBLIC_ORIGIN: "https://www.eksempel.dk" } });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(() => portal.close());
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    mails = [];
    referralId = await aReferral(portal, dentist);
  });

  /** A file waits for a form, as it does once its upload has been checked. */
  async function staged(field: "letterPdf" | "letterImages", name: string, changes: object = {}): Promise<string> {
    const formKey = `letters-${++keys}`;
    const stored = await storeLetter(portal, { name, pdf: Buffer.from(`%PDF-1.7 ${name}`) });
    const kind = field === "letterPdf" ? "letter" : "radiograph";
    await portal.as(admin, stageUploads, { formKey, files: [{ ...stored, field, kind, ...changes }] });
    return formKey;
  }
  const upload = async (letterNumber = 1, name = `brev_${letterNumber}.pdf`) =>
    portal.as(admin, uploadLetter, { referralId, letterNumber, formKey: await staged("letterPdf", name) });
  const addImage = async (letterNumber = 1, name = "48.jpg", changes: object = {}) =>
    portal.as(admin, uploadLetterImages, {
      referralId,
      letterNumber,
      formKey: await staged("letterImages", name, changes),
    });
  const letters = async (as: Person = admin) => (await portal.as(as, readDischargeLetters, { referralId })).letters;
  const letter = async (number = 1) => (await letters()).find((each) => each.number === number)!;
  const referral = () =>
    portal.db.selectFrom("referral").selectAll().where("id", "=", referralId).executeTakeFirstOrThrow();
  const one = { letterNumber: 1 };
  const outbox = () =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "outcome", "detail", "handled_note", "handled_at", "not_before", "resends_id"])
      .where("kind", "=", "dischargeLetter")
      .orderBy("id")
      .execute();

  function through(result: SendResult): TestPortal {
    const email = {
      label: "",
      mode: "live" as const,
      deduplicates: false,
      async send(mail: unknown) {
        mails.push(mail as Mail);
        return result;
      },
    };
    return { ...portal, email } as TestPortal;
  }
  const work = (result: SendResult = SENT) =>
    through(result).as({ kind: "system", job: "test" }, sendMessage, { owner: "a", channel: "email" });

  test("a PDF for the next number makes the letter and mails the referrer a link, and nothing about the patient", async () => {
    await upload();
    expect(await letter()).toMatchObject({ status: 0, attempts: 1, letterFile: "brev_1.pdf", canWithdraw: true });
    expect(await referral()).toMatchObject({ has_discharge_letter: 1, discharge_sent_at: null });
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
    expect((await referral()).discharge_sent_at).toBe("2026-12-01 09:00:00.000");
  });

  test("with X-ray images the mail leads to the ZIP too, and they do not send the letter again", async () => {
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
    await portal.db.updateTable("referral").set({ referrer_id: null }).where("id", "=", referralId).execute();
    await expect(upload()).rejects.toMatchObject({ name: "invalid", text: "Vælg henviser først" });
    expect(await letters()).toEqual([]);
    expect(await referral()).toMatchObject({ has_discharge_letter: 0 });
  });

  test("a number beyond the next does not exist, a file is needed, and another clinic's dentist finds nothing", async () => {
    await expect(upload(3)).rejects.toMatchObject({ name: "notInScope" });
    await expect(
      portal.as(admin, uploadLetter, { referralId, letterNumber: 1, formKey: "none" }),
    ).rejects.toMatchObject({ name: "invalid", fields: { letterPdf: ["Vælg en PDF-fil."] } });
    expect(await letters()).toEqual([]);
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    await expect(portal.as(stranger, readDischargeLetters, { referralId })).rejects.toMatchObject({
      name: "notInScope",
    });
    await expect(portal.as(dentist, resendLetter, { referralId, ...one })).rejects.toMatchObject({
      name: "notAllowed",
    });
  });

  test("a letter begun without its PDF stands there as one, and 'Nyt brev' begins no second", async () => {
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

  test("a new PDF replaces the former: a queued mail leads to it, and after a sent mail another is queued", async () => {
    await upload(1, "første.pdf");
    await upload(1, "rettet.pdf");
    expect(await outbox()).toHaveLength(1);
    await work();
    await upload(1, "rettet igen.pdf");
    await work();
    expect(mails).toHaveLength(2);
    expect((await letter()).letterFile).toBe("rettet igen.pdf");
    const purged = await portal.db
      .selectFrom("stored_file")
      .select("file_name")
      .where("purge_after", "is not", null)
      .where("file_name", "in", ["første.pdf", "rettet.pdf", "rettet igen.pdf"])
      .orderBy("id")
      .execute();
    expect(purged.map(({ file_name: name }) => name)).toEqual(["første.pdf", "rettet.pdf"]);
  });

  test("a sending that failed is followed by one more an hour later; after that a person looks after it", async () => {
    await upload();
    await work(REFUSED);
    expect(await letter()).toMatchObject({ status: 0, attempts: 2, nextAt: "2026-12-01T10:00:00.000Z" });
    expect(await outbox()).toMatchObject([
      { outcome: "failed", handled_note: "Sendes igen af sig selv" },
      { outcome: "queued" },
    ]);
    expect((await work(REFUSED)).data).toEqual({ sent: false });
    portal.clock.advance({ minutes: 61 });
    await work(REFUSED);
    expect(await letter()).toMatchObject({ status: 2, attempts: 2, error: "Postkassen findes ikke" });
    expect((await outbox())[1]).toMatchObject({ outcome: "failed", handled_at: null });
    expect(mails).toHaveLength(2);
    const failed = await portal.as(admin, listDischargeLetters, { filter: { onlyFailed: true } });
    expect(failed.rows.map(({ id }) => id)).toEqual([referralId]);
    await portal.as(admin, resendLetter, { referralId, ...one });
    expect(await letter()).toMatchObject({ status: 0, attempts: 1 });
    expect((await outbox())[1]).toMatchObject({ handled_note: "Sendt igen" });
    await work();
    expect(await letter()).toMatchObject({ status: 1, attempts: 1, error: null });
  });

  test("the second sending goes to the corrected address, and 'Gensend' sends it at once", async () => {
    await upload();
    await work(REFUSED);
    await portal.db.updateTable("user").set({ email: "ny@eksempel.dk" }).where("id", "=", dentist.id).execute();
    await portal.as(admin, resendLetter, { referralId, ...one });
    await work();
    await portal.db.updateTable("user").set({ email: dentist.email }).where("id", "=", dentist.id).execute();
    expect(mails.map(({ to }) => to)).toEqual([dentist.email, "ny@eksempel.dk"]);
    expect(await letter()).toMatchObject({ status: 1, attempts: 2 });
  });

  test("a letter is resent once from the list of failures, also one whose outcome is unknown", async () => {
    await upload();
    await work({ outcome: "unknown", detail: "afbrudt" });
    expect(await letter()).toMatchObject({ status: 2 });
    const [{ id: messageId }] = (await outbox()) as unknown as [{ id: number }];
    await portal.as(admin, resendFailure, { messageId, channel: "email" });
    expect(await outbox()).toMatchObject([{ outcome: "failed" }, { outcome: "queued", resends_id: messageId }]);
    await expect(portal.as(admin, reopenFailure, { messageId })).rejects.toMatchObject({ name: "conflict" });
    await work();
    expect(mails).toHaveLength(2);
    expect(await letter()).toMatchObject({ status: 1 });
  });

  test("a bounced mail clears the letter's send date", async () => {
    await upload();
    await work();
    const [{ id }] = (await outbox()) as unknown as [{ id: number }];
    await portal.db.updateTable("outbox").set({ outcome: "failed" }).where("id", "=", id).execute();
    await portal.db
      .transaction()
      .execute((tx) =>
        portal.kindHooks.dischargeLetter.onSettled!(
          { tx, outbox: portal.outboxIn(tx), portal, now: portal.clock.now() },
          { id, channel: "email", kind: "dischargeLetter", referralId, userId: dentist.id, storedFileId: null },
          { outcome: "failed", code: 9, detail: "Kom retur", wasSentAt: "2026-12-01 09:00:00.000" },
        ),
      );
    expect((await letter()).sentAt).toBeNull();
    expect((await referral()).discharge_sent_at).toBeNull();
    expect(await outbox()).toHaveLength(1);
  });

  test("a queued letter is withdrawn; a sent one is not", async () => {
    await upload();
    await upload(2);
    await portal.as(admin, withdrawLetter, { referralId, ...one });
    expect(await letter()).toMatchObject({ status: 2, error: "Annulleret", canWithdraw: false });
    expect(await letter(2)).toMatchObject({ status: 0, canWithdraw: true });
    await work();
    expect(mails).toHaveLength(1);
    await expect(portal.as(admin, withdrawLetter, { referralId, letterNumber: 2 })).rejects.toMatchObject({
      name: "conflict",
    });
  });

  test("a deleted letter is hidden with its files, its mail does not leave, and its number is not given again", async () => {
    await upload();
    await addImage();
    expect(await portal.as(admin, askDeleteLetter, { referralId, ...one })).toMatchObject({
      isQueued: true,
      imageNames: ["48.jpg"],
    });
    await portal.as(admin, deleteLetter, { referralId, ...one });
    expect((await work()).data).toEqual({ sent: false });
    expect(await letters()).toEqual([]);
    expect(await referral()).toMatchObject({ has_discharge_letter: 0 });
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
    expect(await referral()).toMatchObject({ has_discharge_letter: 1 });
    const files = await portal.db
      .selectFrom("stored_file")
      .innerJoin("discharge_letter", "discharge_letter.diagnosis_file_id", "stored_file.id")
      .select("purge_after")
      .where("discharge_letter.referral_id", "=", referralId)
      .execute();
    expect(files).toEqual([{ purge_after: null }]);
    expect((await work()).data).toEqual({ sent: false });
    await portal.as(dentist, downloadLetter, { referralId, ...one, kind: "pdf" });
    // A second press finds it there.
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

  test.each([
    ["deleted", { deleted_at: "2026-12-01 09:00:00.000" }, "withdrawn", "Brevet er slettet"],
    ["without its PDF", { diagnosis_file_id: null }, "withdrawn", "Pdf-filen mangler"],
  ])("a mail between two tries whose letter is %s by then does not leave", async (_name, change, outcome, detail) => {
    await upload();
    await work({ outcome: "retry", detail: "busy" });
    await portal.db.updateTable("discharge_letter").set(change).where("referral_id", "=", referralId).execute();
    portal.clock.advance({ hours: 1 });
    await work();
    expect(mails).toHaveLength(1);
    expect(await outbox()).toMatchObject([{ outcome, detail }]);
  });

  test("changing the referrer does not resend a letter; its second sending goes to the new referrer", async () => {
    await upload();
    const other = await aPerson(portal, { role: "Dentist", clinicIds: dentist.clinicIds });
    await portal.db.updateTable("referral").set({ referrer_id: other.id }).where("id", "=", referralId).execute();
    await work();
    expect(mails).toEqual([]);
    expect((await outbox())[0]).toMatchObject({ outcome: "failed", detail: "Henvisningen har fået en anden henviser" });
    portal.clock.advance({ minutes: 61 });
    await work();
    expect(mails).toMatchObject([{ to: other.email }]);
    expect(mails[0]!.text).toContain(`mid=${other.id}&`);
  });

  test.each([7, 8])("a referral in status %i still sends its queued letter", async (status) => {
    await upload();
    const { version } = await referral();
    await portal.as(admin, setStatus, { referralId, status, seenVersion: version, isDeleteAttachments: "false" });
    await work();
    expect(await letter()).toMatchObject({ status: 1 });
  });

  test("a declined letter: the queued mail is withdrawn, nothing is queued, and the referrer sees no letter", async () => {
    await upload();
    await portal.as(admin, declineLetters, { referralId, declined: "on" });
    expect(await outbox()).toMatchObject([{ outcome: "withdrawn" }]);
    expect(await letters(dentist)).toEqual([]);
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
    const log = await portal.db.selectFrom("visit_log").select("event").where("referral_id", "=", referralId).execute();
    expect(log.map(({ event }) => event)).toContain("Patienten har frabedt sig brev til henviser");
    await portal.as(admin, declineLetters, { referralId, declined: "off" });
    await portal.as(admin, resendLetter, { referralId, letterNumber: 2 });
    await work();
    expect(mails).toHaveLength(1);
  });

  test("from a test referral only what a person sends is sent, and it is marked as a test", async () => {
    await portal.db.updateTable("referral").set({ is_test: 1 }).where("id", "=", referralId).execute();
    await upload();
    await work(REFUSED);
    expect(mails[0]!.subject).toMatch(/^TEST: /);
    expect(await outbox()).toHaveLength(1);
  });

  test("a letter that is written becomes a PDF, takes the chosen radiographs along and goes the same way", async () => {
    const stored = await storeLetter(portal, { name: "48.jpg", pdf: Buffer.from("a picture") });
    const fileId = await insertStoredFile(portal.db, { ...stored, mime: "image/jpeg" }, portal.clock.now());
    const { insertId } = await portal.db
      .insertInto("referral_file")
      .values({
        referral_id: referralId,
        kind: "radiograph",
        radiograph_type: 0,
        stored_file_id: fileId,
        uploaded_at: "2026-12-01 09:00:00.000",
        uploader_id: null,
        deleted_at: null,
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
    // The letter keeps its image when the referral's own is gone.
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

  test("two simultaneous sendings of one letter send it once", async () => {
    await upload();
    await work(REFUSED);
    portal.clock.advance({ hours: 2 });
    await work(REFUSED);
    const both = await Promise.allSettled([
      portal.as(admin, resendLetter, { referralId, ...one }),
      portal.as(admin, resendLetter, { referralId, ...one }),
    ]);
    expect(both.map(({ status }) => status)).toContain("fulfilled");
    expect((await outbox()).filter(({ outcome }) => outcome === "queued")).toHaveLength(1);
  });

  test("the list holds who has a letter, the last that was sent first, and others see their own without how it went", async () => {
    const first = referralId;
    await upload();
    await work();
    portal.clock.advance({ days: 1 });
    referralId = await aReferral(portal, dentist);
    await upload();
    await work();
    const stranger = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
    const list = await portal.as(dentist, listDischargeLetters, {});
    const mine = list.rows.filter(({ id }) => id === first || id === referralId);
    expect(mine.map(({ id }) => id)).toEqual([referralId, first]);
    expect(mine[0]!.letters[0]).toMatchObject({ status: null, letterFile: "brev_1.pdf" });
    expect(list.work).toEqual([]);
    expect((await portal.as(stranger, listDischargeLetters, {})).rows).toEqual([]);
    const onTheDay = await portal.as(admin, listDischargeLetters, {
      filter: { dateFrom: "2026-12-02", dateTo: "2026-12-02" },
    });
    expect(onTheDay.rows.map(({ id }) => id)).toEqual([referralId]);
  });

  test.each(["1", "-1", "2", "-2", "3", "-3", "4", "-4"])(
    "ordered by %s, over several pages, every referral stands once",
    async (sort) => {
      const clinic = await aClinic(portal);
      const writer = await aPerson(portal, { role: "Dentist", clinicIds: [clinic] });
      for (let number = 0; number < 11; number++) {
        const id = await aReferral(portal, writer, { lastName: ["Abel", "Bach", "Carl"][number % 3] });
        await portal.db
          .updateTable("referral")
          .set({
            has_discharge_letter: 1,
            discharge_sent_at: number % 3 === 0 ? null : `2026-11-1${number % 4} 09:00:00.000`,
          })
          .where("id", "=", id)
          .execute();
      }
      const whole = await portal.as(writer, listDischargeLetters, { sort, pageSize: 100 });
      const paged: number[] = [];
      for (let page = 1, cursor: string | null = null; page <= 3; page++) {
        const part: Awaited<ReturnType<typeof listed>> = await listed({ sort, page, cursor, pageSize: 4 });
        paged.push(...part.rows.map(({ id }) => id));
        cursor = part.end;
      }
      expect(whole.total).toBe(11);
      expect(paged).toEqual(whole.rows.map(({ id }) => id));
      function listed(asked: object) {
        return portal.as(writer, listDischargeLetters, asked);
      }
    },
  );
});
