import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { describe, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { readAccount } from "~/features/shell/read-shell.server";
import { downloadReferralFile } from "~/features/referrals/images/download-referral-file.server";
import { presentReferral } from "~/routes/management.overview.$visitId/present";
import { aDraft, aReferral } from "../../../tests/factories/referrals";
import { csv, messagesPortal, type People } from "../../../tests/support/portals/messages-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { editMessage, markMessages, writeMessage } from "./operations.server";
import { messageText } from "./messages";

forEachDatabase("messages", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let people: People;
  let referralId: number;
  const { write, thread, texts, marks, hold } = messagesPortal(dialect, (begun) => {
    ({ portal, people, referralId } = begun);
  });
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
        [`${people.dentist.firstName} ${people.dentist.lastName}`, "01.12.2026 kl.\u00a010.00"],
        [`Klinikken, ${people.surgeon.firstName} ${people.surgeon.lastName}`, "01.12.2026 kl.\u00a010.05"],
        [expect.not.stringContaining("Klinikken"), expect.any(String)],
      ]);
    });

    test("an empty message is refused and leaves the surgeon as it was", async () => {
      const surgeonOf = async () =>
        (
          await portal.db
            .selectFrom("referral")
            .select("surgeonId")
            .where("id", "=", referralId)
            .executeTakeFirstOrThrow()
        ).surgeonId;
      const before = await surgeonOf();
      const choose = (text: string) =>
        portal.as(people.admin, writeMessage, { referralId, formKey: "x", text, surgeonId: people.surgeon.id });
      await expect(choose("")).rejects.toMatchObject({ name: "invalid" });
      expect(await surgeonOf()).toBe(before);
      await choose("Tag den.");
      expect(await surgeonOf()).toBe(people.surgeon.id);
      const byDentist = { referralId, formKey: "y", text: "Hej", surgeonId: people.surgeon.id };
      await expect(portal.as(people.dentist, writeMessage, byDentist)).rejects.toMatchObject({ name: "notAllowed" });
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

    test("one page's words with another file are another message; with the same, one", async () => {
      // The page's nonce identifies the form; its files wait under another key.
      const formNonce = "page";
      const send = async (name: string) => {
        await hold(people.dentist, "page-message", name, Buffer.from(`dato;tekst\n1.1.2026;${name}\n`), "attachment");
        const input = { referralId, formKey: "page-message", text: "Se vedhæftet" };
        await portal.as(people.dentist, writeMessage, input, { formNonce });
      };
      for (const name of ["A.csv", "B.csv", "B.csv", "C.csv"]) await send(name);
      const { items } = await thread(people.dentist);
      expect(items.map(({ attachments }) => attachments.map(({ name }) => name))).toEqual([
        ["A.csv"],
        ["B.csv"],
        ["C.csv"],
      ]);
    });

    test("what was added after a lost answer is written; a key is one referral's", async () => {
      const send = (text: string, to = referralId) =>
        portal.as(people.dentist, writeMessage, { referralId: to, formKey: "tabt svar", text });
      await send("Hej");
      await send("Hej, og en ting til");
      expect(await texts(people.dentist)).toEqual(["Hej", "Hej, og en ting til"]);
      const other = await aReferral(portal, people.dentist);
      await send("Hej", other);
      const there = portal.db.selectFrom("message").select("id").where("referralId", "=", other);
      expect(await there.execute()).toHaveLength(1);
    });

    test("refuses a message without text and files", async () => {
      await expect(write(people.dentist, "  ")).rejects.toMatchObject({
        name: "invalid",
        fields: { text: ["Skriv en besked, eller vedhæft en fil."] },
      });
      await expect(write(people.dentist, "x".repeat(10_001))).rejects.toMatchObject({ name: "invalid" });
      expect(await texts(people.dentist)).toEqual([]);
    });

    test("the referrer's 501st message is refused, and the clinic still answers", async () => {
      const row = {
        referralId,
        isFromAdmin: false,
        authorId: people.dentist.id,
        authorName: "Tandlæge",
        text: "Hej",
        createdAt: "2026-12-01T09:00:00.000Z",
        editedAt: null,
      };
      await portal.db
        .insertInto("message")
        .values(Array.from({ length: 500 }, () => row))
        .execute();
      await expect(write(people.dentist, "Endnu en")).rejects.toMatchObject({ name: "conflict" });
      await write(people.admin, "Ring til os.");
      expect((await texts(people.dentist)).at(-1)).toBe("Ring til os.");
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
    test("'Andre filer' are attached, and only readers of the referral fetch them", async () => {
      await hold(people.dentist, "filer", "journal.csv", csv, "attachment");
      await write(people.dentist, "", { formKey: "filer", attachmentType: 1 });
      const [item] = (await thread(people.admin)).items;
      expect(item).toMatchObject({
        text: "Ingen tekst",
        attachments: [{ name: "journal.csv", sizeBytes: csv.length, isScanned: false }],
      });
      const opened = await portal.as(people.admin, readOpenReferral, { referralId });
      expect([opened.files, opened.images.count]).toEqual([[], 0]);
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
        .updateTable("storedFile")
        .set({ scanState: "infected" })
        .where("fileName", "=", "journal.csv")
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
      expect(images.shown.map(({ name, typeLabel }) => [name, typeLabel])).toEqual([
        ["48.jpg", "Intraoralt"],
        ["OPG.jpg", "Panorama"],
      ]);
      const row = await portal.db
        .selectFrom("referral")
        .select("hasRadiographs")
        .where("id", "=", referralId)
        .executeTakeFirstOrThrow();
      expect(row.hasRadiographs).toBe(true);
      expect((await marks()).version).toBe(before.version + 1);
      const { log } = await portal.as(people.admin, readOpenReferral, { referralId });
      expect(log[0]).toMatchObject({
        what: "2 røntgenbilleder er tilføjet",
        who: `${people.dentist.firstName} ${people.dentist.lastName}`,
      });
    });

    test("of 60 messages the page shows the newest 10, the page before it 50", async () => {
      await write(people.dentist, "Første");
      const { id: first, ...row } = await portal.db
        .selectFrom("message")
        .selectAll()
        .where("referralId", "=", referralId)
        .executeTakeFirstOrThrow();
      const copies = Array.from({ length: 59 }, (_, at) => ({ ...row, text: `Besked ${at + 2}` }));
      await portal.db.insertInto("message").values(copies).execute();
      const page = async (messagePage?: number) =>
        (await portal.as(people.admin, readOpenReferral, { referralId, messagePage })).messages;
      const [newest, before] = [await page(), await page(1)];
      expect([newest.page, newest.pageCount, newest.newCount, newest.items.length]).toEqual([2, 2, 60, 10]);
      expect([before.items[0]?.id, before.items.length, newest.items[9]?.text]).toEqual([first, 50, "Besked 60"]);
    });

    test("a radiograph that is there already is named, not attached again", async () => {
      const said: unknown[] = [];
      for (const name of ["48.jpg", "48 igen.jpg"]) {
        await hold(people.dentist, name, name, await jpg(), "radiograph");
        said.push((await write(people.dentist, "Se billedet", { formKey: name, attachmentType: 0 })).flash?.text);
      }
      expect(said).toEqual([
        "Beskeden er sendt.",
        "Beskeden er sendt. 48 igen.jpg var allerede vedhæftet henvisningen og er ikke tilføjet igen.",
      ]);
      expect(await texts(people.admin)).toEqual([
        messageText("Se billedet", ["48.jpg"]),
        messageText("Se billedet", ["48 igen.jpg"]),
      ]);
      const { images, log } = await portal.as(people.admin, readOpenReferral, { referralId });
      expect(images.shown.map(({ name }) => name)).toEqual(["48.jpg"]);
      expect(log.filter(({ what }) => what === "Et røntgenbillede er tilføjet")).toHaveLength(1);
    });

    test("refuses a file of a wrong type by name, writes and loses nothing", async () => {
      await hold(people.dentist, "forkert", "48.jpg", await jpg(), "radiograph");
      await expect(
        write(people.dentist, "Hej", { formKey: "forkert", attachmentType: 0, radiographType: [4] }),
      ).rejects.toMatchObject({
        name: "fileRefused",
        fields: { radiographs: [expect.stringContaining("48.jpg: Denne filtype er ikke godkendt i dette felt.")] },
      });
      await write(people.dentist, "Hej", { formKey: "forkert", attachmentType: 0, radiographType: [1] });
      expect((await portal.as(people.admin, readOpenReferral, { referralId })).images.count).toBe(1);
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
});
