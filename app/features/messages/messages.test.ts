import { readOpenReferral } from "~/features/open-referral/read-open-referral.server";
import { writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import type { Person } from "~/access/actor";
import { readAccount } from "~/features/shell/read-account.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import type { FileKind } from "~/files/file-rules";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-upload.server";
import { downloadReferralFile } from "~/features/referrals/images/download-referral-file.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { readMessages } from "./read-messages.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { setSurgeon } from "~/features/referrals/details/set-surgeon.server";
import { toMoment } from "~/text/dates";
import { saveNamesAndDeadlines } from "~/features/names-and-deadlines/save-names-and-deadlines.server";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { editMessage } from "./edit-message.server";
import { markMessages } from "./mark-messages.server";
import { findStaffMail } from "./message-mail.server";
import { messageText } from "./messages";
import { writeMessage } from "./write-message.server";

forEachDatabase("messages", (dialect) => {
  let portal: TestPortal;
  let people: Record<"dentist" | "secretary" | "otherDentist" | "otherSecretary" | "admin" | "surgeon", Person>;
  let referralId: number;
  let count = 0;

  beforeAll(async () => {
    portal = await createTestPortal(dialect, {
      env: { ADMIN_ORIGIN: "https://klinik.eksempel.dk", PUBLIC_ORIGIN: "https://www.henvis.eksempel.dk" },
    });
    const [clinic, other] = [await aClinic(portal), await aClinic(portal)];
    people = {
      dentist: await aPerson(portal, { role: "Dentist", clinicIds: [clinic] }),
      secretary: await aPerson(portal, { role: "Secretary", clinicIds: [clinic] }),
      otherDentist: await aPerson(portal, { role: "Dentist", clinicIds: [other] }),
      otherSecretary: await aPerson(portal, { role: "Dentist Secretary", clinicIds: [other] }),
      admin: await aPerson(portal, { role: "Admin" }),
      surgeon: await aPerson(portal, { role: "Surgeon" }),
    };
  }, 60_000);
  afterAll(() => portal.close());
  beforeEach(async () => {
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("setting").execute();
    referralId = await aReferral(portal, people.dentist);
  });

  const write = (person: Person, text: string, more: Record<string, unknown> = {}) =>
    portal.as(person, writeMessage, { referralId, formKey: `ny-${++count}`, text, ...more });
  const thread = async (person: Person) => portal.as(person, readMessages, { referralId });
  const texts = async (person: Person) => (await thread(person)).items.map((item) => item.text);
  const marks = async () =>
    portal.db
      .selectFrom("referral")
      .select([
        "has_unanswered_message as unanswered",
        "surgeon_has_unread_messages as clinic",
        "referrer_has_unread_messages as referrer",
        "version",
      ])
      .where("id", "=", referralId)
      .executeTakeFirstOrThrow();

  async function hold(person: Person, formKey: string, fileName: string, bytes: Buffer, kind: FileKind) {
    const file = path.join(portal.config.dataDir, `arriving-${++count}`);
    await writeFile(file, bytes);
    const result = await storeUpload(portal, file, fileName, kind);
    if ("refused" in result) throw new Error(result.refused);
    await portal.as(person, stageUploads, {
      formKey,
      files: [{ ...result.accepted, field: kind === "radiograph" ? "radiographs" : "attachments", kind }],
    });
  }
  const csv = Buffer.from("dato;tekst\n1.1.2026;Ømhed\n");
  const jpg = (seed = 1) => drawRadiograph({ type: 0, format: "jpg", seed });

  describe("a thread", () => {
    test("is listed oldest first, and each side sees its own messages as its own", async () => {
      await write(people.dentist, "Patienten har smerter. Æ ø å.");
      portal.clock.advance({ minutes: 5 });
      await write(people.surgeon, "Har I et nyere billede?");
      await write(people.secretary, "Ja, det kommer.");
      expect(await texts(people.admin)).toEqual([
        "Patienten har smerter. Æ ø å.",
        "Har I et nyere billede?",
        "Ja, det kommer.",
      ]);
      expect((await thread(people.admin)).items.map((item) => item.isOwnSide)).toEqual([false, true, false]);
      expect((await thread(people.dentist)).items.map((item) => item.isOwnSide)).toEqual([true, false, true]);
      const [, second] = (await thread(people.dentist)).items;
      expect(second).toMatchObject({
        isFromClinic: true,
        authorName: `${people.surgeon.firstName} ${people.surgeon.lastName}`,
        createdAt: "2026-12-01T09:05:00.000Z",
        editedAt: null,
      });
      const shown = presentReferral(await portal.as(people.dentist, readOpenReferral, { referralId })).messages.items;
      expect(shown.map(({ author, at }) => [author, at])).toEqual([
        [`${people.dentist.firstName} ${people.dentist.lastName}`, "01.12.2026 kl. 10.00"],
        [`Klinikken, ${people.surgeon.firstName} ${people.surgeon.lastName}`, "01.12.2026 kl. 10.05"],
        [expect.not.stringContaining("Klinikken"), expect.any(String)],
      ]);
    });

    test("does not exist for another clinic", async () => {
      await write(people.dentist, "Fortroligt");
      for (const person of [people.otherDentist, people.otherSecretary]) {
        await expect(thread(person)).rejects.toMatchObject({ name: "notInScope" });
        await expect(write(person, "Hej")).rejects.toMatchObject({ name: "notInScope" });
        await expect(portal.as(person, markMessages, { referralId, read: "yes" })).rejects.toMatchObject({
          name: "notInScope",
        });
        expect(await portal.as(person, readAccount, { visitId: referralId })).toMatchObject({ newestMessageAt: null });
      }
      await expect(write(people.admin, "Hej", { referralId: 999_999 })).rejects.toMatchObject({ name: "notInScope" });
      expect(await texts(people.admin)).toEqual(["Fortroligt"]);
    });

    test("does not exist for a draft", async () => {
      await expect(
        write(people.dentist, "Hej", { referralId: await aDraft(portal, people.dentist) }),
      ).rejects.toMatchObject({ name: "notInScope" });
    });

    test("a message that is sent twice is written once", async () => {
      for (let turn = 0; turn < 2; turn += 1)
        await portal.as(people.dentist, writeMessage, { referralId, formKey: "samme", text: `Hej ${dialect}` });
      expect(await texts(people.dentist)).toEqual([`Hej ${dialect}`]);
    });

    test("refuses a message without text and files", async () => {
      await expect(write(people.dentist, "  ")).rejects.toMatchObject({
        name: "invalid",
        fields: { text: ["Skriv en besked, eller vedhæft en fil."] },
      });
      await expect(write(people.dentist, "x".repeat(10_001))).rejects.toMatchObject({ name: "invalid" });
      expect(await texts(people.dentist)).toEqual([]);
    });

    test("the poll reports new and edited messages", async () => {
      const newest = async () =>
        (await portal.as(people.dentist, readAccount, { visitId: referralId })) as { newestMessageAt?: string | null };
      expect((await newest()).newestMessageAt).toBeNull();
      await write(people.admin, "Hej");
      const written = (await newest()).newestMessageAt!;
      expect(written).toBe((await thread(people.dentist)).changedAt);
      portal.clock.advance({ minutes: 1 });
      const [item] = (await thread(people.admin)).items;
      await portal.as(people.admin, editMessage, {
        referralId,
        messageId: item!.id,
        seenVersion: 1,
        formKey: "r",
        text: "Hej igen",
      });
      expect((await newest()).newestMessageAt! > written).toBe(true);
      expect(await portal.as(people.dentist, readAccount, {})).not.toHaveProperty("newestMessageAt");
    });
  });

  describe("files", () => {
    test("'Andre filer' are attached to the message, and only those who see the referral can download them", async () => {
      await hold(people.dentist, "filer", "journal.csv", csv, "attachment");
      await write(people.dentist, "", { formKey: "filer", attachmentType: 1 });
      const [item] = (await thread(people.admin)).items;
      expect(item).toMatchObject({
        text: "Ingen tekst",
        attachments: [{ name: "journal.csv", sizeBytes: csv.length, isScanned: false }],
      });
      const opened = await portal.as(people.admin, readOpenReferral, { referralId });
      expect([opened.files, opened.images]).toEqual([[], []]);
      const fileId = item!.attachments[0]!.id;
      expect(await portal.as(people.secretary, downloadReferralFile, { referralId, fileId })).toMatchObject({
        fileName: "journal.csv",
        disposition: "attachment",
      });
      await expect(portal.as(people.otherDentist, downloadReferralFile, { referralId, fileId })).rejects.toMatchObject({
        name: "notInScope",
      });
      const elsewhere = await aReferral(portal, people.dentist);
      await expect(
        portal.as(people.dentist, downloadReferralFile, { referralId: elsewhere, fileId }),
      ).rejects.toMatchObject({ name: "fileMissing" });
      await portal.db
        .updateTable("stored_file")
        .set({ scan_state: "infected" })
        .where("file_name", "=", "journal.csv")
        .execute();
      await expect(portal.as(people.admin, downloadReferralFile, { referralId, fileId })).rejects.toMatchObject({
        name: "fileMissing",
      });
    });

    test("'Røntgen' become the referral's radiographs, and the message names them", async () => {
      await expect(write(people.dentist, "Se billedet", { attachmentType: 0 })).rejects.toMatchObject({
        name: "invalid",
        fields: { radiographs: ["Vælg mindst én fil."] },
      });
      await hold(people.dentist, "billeder", "48.jpg", await jpg(), "radiograph");
      await hold(people.dentist, "billeder", "OPG.jpg", await jpg(2), "radiograph");
      const before = await marks();
      await write(people.dentist, "", { formKey: "billeder", attachmentType: 0, radiographType: [0, 2] });
      expect(await texts(people.admin)).toEqual([messageText("", ["48.jpg", "OPG.jpg"])]);
      expect(messageText("", ["48.jpg"])).toBe("Ingen tekst\n\nUploadede røntgenbilleder: 48.jpg");
      const { images } = presentReferral(await portal.as(people.admin, readOpenReferral, { referralId }));
      expect(images.map(({ name, typeLabel }) => [name, typeLabel])).toEqual([
        ["48.jpg", "Intraoralt"],
        ["OPG.jpg", "Panorama"],
      ]);
      const row = await portal.db
        .selectFrom("referral")
        .select("has_radiographs")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
      expect(row.has_radiographs).toBe(1);
      expect((await marks()).version).toBe(before.version + 1);
      const { log } = await portal.as(people.admin, readOpenReferral, { referralId });
      expect(log[0]).toMatchObject({
        what: "2 røntgenbilleder er tilføjet",
        who: `${people.dentist.firstName} ${people.dentist.lastName}`,
      });
    });

    test("does not attach a radiograph that the referral has already, but the message names it", async () => {
      for (const name of ["48.jpg", "48 igen.jpg"]) {
        await hold(people.dentist, name, name, await jpg(), "radiograph");
        await write(people.dentist, "Se billedet", { formKey: name, attachmentType: 0 });
      }
      expect(await texts(people.admin)).toEqual([
        messageText("Se billedet", ["48.jpg"]),
        messageText("Se billedet", ["48 igen.jpg"]),
      ]);
      const { images, log } = await portal.as(people.admin, readOpenReferral, { referralId });
      expect(images.map(({ name }) => name)).toEqual(["48.jpg"]);
      expect(log.filter(({ what }) => what === "Et røntgenbillede er tilføjet")).toHaveLength(1);
    });

    test("refuses by name a file that its type does not accept, and neither writes nor loses anything", async () => {
      await hold(people.dentist, "forkert", "48.jpg", await jpg(), "radiograph");
      await expect(
        write(people.dentist, "Hej", { formKey: "forkert", attachmentType: 0, radiographType: [4] }),
      ).rejects.toMatchObject({
        name: "fileRefused",
        fields: { radiographs: [expect.stringContaining("48.jpg: Denne filtype er ikke godkendt i dette felt.")] },
      });
      await write(people.dentist, "Hej", { formKey: "forkert", attachmentType: 0, radiographType: [1] });
      expect((await portal.as(people.admin, readOpenReferral, { referralId })).images).toHaveLength(1);
    });

    test("a refused file leaves the others staged", async () => {
      await hold(people.dentist, "delvis", "journal.csv", csv, "attachment");
      const refused = {
        staged: [],
        refused: [
          { field: "attachments", fileName: "virus.exe", text: "Denne filtype er ikke godkendt i dette felt." },
        ],
      };
      await expect(
        portal.as(people.dentist, writeMessage, { referralId, formKey: "delvis", text: "Hej" }, { files: refused }),
      ).rejects.toMatchObject({
        name: "fileRefused",
        fields: { attachments: ["virus.exe: Denne filtype er ikke godkendt i dette felt."] },
      });
      await write(people.dentist, "Hej", { formKey: "delvis" });
      expect((await thread(people.admin)).items[0]!.attachments).toHaveLength(1);
    });
  });

  describe("editing", () => {
    const edit = (person: Person, messageId: number, more: Record<string, unknown> = {}) =>
      portal.as(person, editMessage, {
        referralId,
        messageId,
        seenVersion: 1,
        formKey: `ret-${++count}`,
        text: "Rettet",
        ...more,
      });
    const newest = async () => (await thread(people.admin)).items.at(-1)!;

    test("dentists and secretaries edit only their own messages, staff only the clinic's", async () => {
      const may: [Person, Person[], Person[]][] = [
        [people.dentist, [people.dentist], [people.secretary, people.admin, people.surgeon, people.otherDentist]],
        [people.secretary, [people.secretary], [people.dentist, people.admin, people.surgeon, people.otherSecretary]],
        [people.admin, [people.admin, people.surgeon], [people.dentist, people.secretary]],
      ];
      for (const [author, editors, others] of may) {
        await write(author, "Første");
        const { id } = await newest();
        for (const other of others) await expect(edit(other, id)).rejects.toMatchObject({ name: "notInScope" });
        for (const [turn, editor] of editors.entries())
          await edit(editor, id, { seenVersion: turn + 1, text: `Rettet ${turn}` });
        expect(await newest()).toMatchObject({
          text: `Rettet ${editors.length - 1}`,
          editedAt: expect.stringMatching(/^2026-12-01T09:\d\d:00\.000Z$/),
        });
        for (const person of [
          ...editors,
          ...others.filter((other) => other !== people.otherDentist && other !== people.otherSecretary),
        ]) {
          expect((await thread(person)).items.at(-1)!.mayEdit).toBe(editors.includes(person));
        }
      }
    });

    test("an edit that is sent twice is made once, with its file", async () => {
      await write(people.dentist, "Første");
      const { id } = await newest();
      await hold(people.dentist, "to-tryk", "a.csv", csv, "attachment");
      for (let press = 0; press < 2; press += 1) await edit(people.dentist, id, { formKey: "to-tryk" });
      expect(await newest()).toMatchObject({ text: "Rettet", version: 2, attachments: [{ name: "a.csv" }] });
    });

    test("an edit of an older text is a conflict", async () => {
      await write(people.admin, "Første");
      const { id } = await newest();
      await edit(people.surgeon, id);
      await expect(edit(people.admin, id, { text: "Anden" })).rejects.toMatchObject({
        name: "conflict",
        text: expect.stringContaining("Beskeden er rettet"),
      });
      expect((await newest()).text).toBe("Rettet");
    });

    test("removes attachments that are not kept, adds new ones, and accepts an attachment without text", async () => {
      for (const name of ["a.csv", "b.csv"]) await hold(people.dentist, "to", name, csv, "attachment");
      await write(people.dentist, "To filer", { formKey: "to" });
      const { id, attachments } = await newest();
      await hold(people.dentist, "c", "c.csv", csv, "attachment");
      await edit(people.dentist, id, { formKey: "c", keep: [attachments[1]!.id], text: "" });
      expect(await newest()).toMatchObject({
        text: "Ingen tekst",
        attachments: [{ name: "b.csv" }, { name: "c.csv" }],
      });
      await expect(
        portal.as(people.admin, downloadReferralFile, { referralId, fileId: attachments[0]!.id }),
      ).rejects.toMatchObject({ name: "fileMissing" });
      await expect(edit(people.dentist, id, { seenVersion: 2, text: "" })).rejects.toMatchObject({ name: "invalid" });
      expect((await newest()).attachments).toHaveLength(2);
    });

    test("a message of another referral is not found through the person's own referral", async () => {
      await write(people.dentist, "Første");
      const { id } = await newest();
      const elsewhere = await aReferral(portal, people.dentist);
      await expect(edit(people.dentist, id, { referralId: elsewhere })).rejects.toMatchObject({ name: "notInScope" });
    });
  });

  describe("marks", () => {
    test("a message of the referrer's side is unanswered and unread until the clinic answers, and does not raise the version", async () => {
      const before = await marks();
      await write(people.secretary, "Hvornår?");
      expect(await marks()).toEqual({ ...before, unanswered: 1, clinic: 1, referrer: 0 });
      await write(people.admin, "På mandag");
      expect(await marks()).toEqual({ ...before, unanswered: 0, clinic: 0, referrer: 1 });
    });

    test("each side marks its own messages as read, and reading does not count as answering", async () => {
      await write(people.dentist, "Hvornår?");
      expect(await thread(people.surgeon)).toMatchObject({ isUnread: true, newCount: 1 });
      await portal.as(people.surgeon, markMessages, { referralId, read: "yes" });
      expect(await marks()).toMatchObject({ unanswered: 1, clinic: 0 });
      expect(await thread(people.surgeon)).toMatchObject({ isUnread: false, newCount: 0 });
      await write(people.admin, "På mandag");
      await portal.as(people.secretary, markMessages, { referralId, read: "yes" });
      expect(await marks()).toMatchObject({ clinic: 0, referrer: 0 });
      await portal.as(people.dentist, markMessages, { referralId, read: "no" });
      expect(await marks()).toMatchObject({ clinic: 0, referrer: 1 });
    });

    test("the overview shows unanswered messages to the clinic and new ones to the referrer", async () => {
      const shows = async (person: Person) =>
        (await portal.as(person, listReferrals, {})).rows!.find((row) => row.id === referralId)!.hasNewMessage;
      await write(people.dentist, "Hvornår?");
      expect([await shows(people.admin), await shows(people.dentist), await shows(people.secretary)]).toEqual([
        true,
        false,
        false,
      ]);
      await write(people.admin, "På mandag");
      expect([await shows(people.admin), await shows(people.dentist), await shows(people.secretary)]).toEqual([
        false,
        true,
        true,
      ]);
    });
  });

  describe("the surgeon on the thread", () => {
    test("is chosen by staff among the surgeons, guarded by version, and can be removed", async () => {
      const { version } = await marks();
      const set = (surgeonId: number | undefined, seenVersion: number, person = people.admin) =>
        portal.as(person, setSurgeon, { referralId, surgeonId, seenVersion });
      await expect(set(people.dentist.id, version)).rejects.toMatchObject({ name: "invalid" });
      for (let press = 0; press < 2; press += 1) await set(people.surgeon.id, version);
      await expect(set(undefined, version)).rejects.toMatchObject({ name: "conflict" });
      expect((await thread(people.admin)).clinic).toMatchObject({ surgeonId: people.surgeon.id });
      await set(undefined, version + 1);
      expect((await thread(people.admin)).clinic).toMatchObject({ surgeonId: null });
      expect(
        (await portal.as(people.admin, readOpenReferral, { referralId })).log.slice(0, 2).map((entry) => entry.what),
      ).toEqual(["Ingen kirurg på sagen", `${people.surgeon.firstName} ${people.surgeon.lastName} er kirurg på sagen`]);
      expect((await thread(people.dentist)).clinic).toBeNull();
    });
  });

  describe("mail to the other side", () => {
    const sent = async () => {
      portal.clock.advance({ minutes: 1 });
      while (
        (await portal.as({ kind: "system", job: "test" }, sendMessage, { owner: "test", channel: "email" })).data
          ?.sent === true
      );
      return portal.email.listStored!(100);
    };

    test("mails the referrer about the clinic's message, with a link to their host and nothing about the patient", async () => {
      await write(people.admin, "Hemmelig tekst om patienten");
      const mail = (await sent()).find(({ text }) => text.includes(`nr. ${referralId}`))!;
      expect(mail.to).toBe(people.dentist.email);
      expect(mail.text).toContain(`https://www.henvis.eksempel.dk/management/overview/${referralId}#beskeder`);
      expect(`${mail.subject} ${mail.text}`).not.toMatch(/Hemmelig|Søren|Møller|610180/);
    });

    test("sends one mail for the messages of a minute, a minute after the last, to each side about the other's", async () => {
      await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "klinikken@eksempel.dk" });
      const notified = async () =>
        (await sent())
          .filter(({ text }) => text.includes(`nr. ${referralId} `) || text.includes(`nr. ${referralId}.`))
          .map(({ to }) => to);
      await write(people.admin, "Har I et billede?");
      await write(people.dentist, "Ja.");
      await write(people.surgeon, "Og et svar på INR?");
      await write(people.secretary, "Også.");
      const due = await portal.db
        .selectFrom("outbox")
        .select("not_before")
        .where("referral_id", "=", referralId)
        .where("outcome", "=", "queued")
        .execute();
      expect(due).toEqual(
        [1, 2].map(() => ({ not_before: toMoment(new Date(portal.clock.now().getTime() + 60_000)) })),
      );
      expect((await notified()).sort()).toEqual([people.dentist.email, "klinikken@eksempel.dk"].sort());
      await write(people.admin, "Tak.");
      expect((await notified()).filter((to) => to === people.dentist.email)).toHaveLength(2);
    });

    test("mails the clinic at the address in the settings; without one nothing is mailed", async () => {
      await write(people.dentist, "Hej");
      expect(await portal.db.selectFrom("outbox").select("id").execute()).toEqual([]);
      expect((await thread(people.admin)).clinic).toMatchObject({ notifiesReferrer: true });
      await expect(
        portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "ikke en adresse" }),
      ).rejects.toMatchObject({
        name: "invalid",
      });
      for (const messageMailAddress of ["gammel@eksempel.dk", "klinikken@eksempel.dk"])
        await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress });
      await write(people.dentist, "Hej igen");
      const mail = (await sent()).find(({ to }) => to === "klinikken@eksempel.dk")!;
      expect(mail.text).toContain(`https://klinik.eksempel.dk/management/overview/${referralId}#beskeder`);
      await portal.as(people.admin, saveNamesAndDeadlines, { messageMailAddress: "" });
      expect(await findStaffMail(portal.db)).toBeNull();
    });
  });
});
