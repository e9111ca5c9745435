import { readFileSync } from "node:fs";
import { ediLine } from "~/components/discharge-letters/present-edi-letter";
import { readOpenReferral } from "~/routes/management.overview.$visitId/data.server";
import { expect, test } from "vitest";
import { letterPdf } from "~/demo/demo-documents.server";
import type { Person } from "~/access/actor";
import { settleOverdue } from "~/features/delivery/settle-messages.server";
import { importEdi } from "~/features/edi/import-edi.server";
import { listEdi } from "~/features/edi/list/edi-list.server";
import { systemCaller } from "~/access/system-caller";
import { dropEdi, ediSample } from "../../../tests/support/edi/drop";
import { ediLettersPortal, OURS, system, THEIRS } from "../../../tests/support/portals/edi-letters-portal";
import { canCheckSchemas, schemaErrors } from "../../../tests/support/edi/schemas";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { declineLetters, deleteLetter, setEdiAsEmail } from "./operations.server";
import { listDischargeLetters } from "./discharge-letter-list.server";
import { resendLetter, withdrawLetter } from "./queue-letter.server";

const one = { letterNumber: 1 };

forEachDatabase("discharge letters by EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let root: string;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: { to: string; text: string }[];
  const {
    wantsEdi,
    upload,
    alone,
    sendEdi,
    sendMail,
    letter,
    messages,
    files,
    letterFiles,
    numberIn,
    answers,
    numbers,
    replaceCpr,
    turnTo,
  } = ediLettersPortal(dialect, (begun) => {
    ({ portal, root, admin, dentist, referralId, mails } = begun);
  });

  const pdfId = async () =>
    (
      await portal.db
        .selectFrom("dischargeLetter")
        .select("diagnosisFileId")
        .where("referralId", "=", referralId)
        .executeTakeFirstOrThrow()
    ).diagnosisFileId;

  test.each([
    [
      "a replacement number",
      async () => replaceCpr("010170-123A"),
      "Et erstatnings-CPR-nummer kan ikke sendes via EDI",
    ],
    ["a replacement day", async () => replaceCpr("610170-1234"), "Et erstatnings-CPR-nummer kan ikke sendes via EDI"],
    [
      "an id of another kind",
      async () => wantsEdi("079741"),
      "Henviserens EDI-id er ikke et lokationsnummer på 13 cifre",
    ],
    ["a change of mind", async () => wantsEdi(THEIRS, false), "Henviseren får ikke længere breve via EDI"],
    [
      "a PDF of 31 MB",
      async () =>
        portal.db
          .updateTable("storedFile")
          .set({ sizeBytes: 31 * 1024 * 1024 })
          .where("id", "=", await pdfId())
          .execute(),
      "Pdf-filen fylder 31 MB, og EDI tager højst 30 MB",
    ],
    [
      "an empty PDF",
      async () =>
        portal.db
          .updateTable("storedFile")
          .set({ sizeBytes: 0 })
          .where("id", "=", await pdfId())
          .execute(),
      "Pdf-filen er tom",
    ],
  ])("%s goes by mail, with the reason", async (_, change, detail) => {
    await upload();
    await alone();
    await change();
    await sendEdi();
    expect(files()).toEqual([]);
    expect((await letter()).edi).toMatchObject({ outcome: "failed", detail, mail: "queued" });
    await sendMail();
    expect(mails).toHaveLength(1);
    expect((await letter()).status).toBe(1);
  });

  test("a PDF whose text cannot be read is referred to, which the row says", async () => {
    await upload(1, readFileSync("tests/files/letter-pdf-without-tounicode.pdf"));
    await alone();
    await sendEdi();
    expect(letterFiles()[0]!.text).toContain("Udskrivningsbrevet er vedlagt som PDF.");
    const said = "PDF-filens tekst kan ikke læses, så EDI-brevet henviser til den vedlagte PDF.";
    const line = async () => ediLine((await letter()).edi, { isEdiSet: true, receiptHours: 24 });
    expect(await line()).toMatchObject({
      state: { label: "EDI: Venter på kvittering" },
      sentences: expect.arrayContaining([said]),
    });
    for (const number of Object.values(numbers())) await answers(number);
    expect(await line()).toMatchObject({
      state: { label: "EDI: Modtaget" },
      sentences: expect.arrayContaining([said]),
    });
  });

  test("goes by mail when EDI is not configured; a test referral never goes by EDI", async () => {
    const { config } = portal;
    portal.config = { ...config, edi: null, production: true };
    await upload();
    expect(await letter()).toMatchObject({ isEdi: true, edi: null, status: 0 });
    expect((await portal.as(admin, readOpenReferral, { referralId })).letters.manage!.isEdiSet).toBe(false);
    await sendMail();
    expect(mails).toHaveLength(1);
    portal.config = config;
    await portal.db.updateTable("referral").set({ isTest: true }).where("id", "=", referralId).execute();
    await upload(2);
    expect((await messages()).map(({ channel }) => channel)).toEqual(["email", "email"]);
  });

  test("a referral to specialists is answered where it came from, by XDIS07", async () => {
    const ediId = /<EANIdentifier>(\d+)/.exec(ediSample("REF06_1.xml").split("<Sender>")[1]!)![1]!;
    await wantsEdi(ediId);
    await portal.db
      .updateTable("user")
      .set({ firstName: "Hans", lastName: "Andersen" })
      .where("id", "=", dentist.id)
      .execute();
    dropEdi(
      root,
      "ref06.xml",
      ediSample("REF06_1.xml")
        .replace("5790000183784", OURS)
        .replace(
          /<AlternativeIdentifier>.*<\/AlternativeIdentifier>/,
          "<CivilRegistrationNumber>0202701234</CivilRegistrationNumber>",
        ),
    );
    await importEdi(portal, systemCaller("edi"));
    const [row] = (await portal.as(admin, listEdi, {})).rows;
    expect(row).toMatchObject({ state: "imported" });
    referralId = row!.referralId!;
    turnTo(referralId);
    await upload();
    await sendEdi();
    const own = letterFiles().find(({ text }) => text.includes("PrivateSpecialistLetter"))!.text;
    expect(own).toContain(`<Receiver><EANIdentifier>${ediId}</EANIdentifier>`);
    expect(own).toContain("<TypeCode>XDIS07</TypeCode>");
    expect(own).toContain(`<Referral><Identifier>${row!.letterId}</Identifier></Referral>`);
    if (!canCheckSchemas) return;
    for (const { text } of files()) {
      const schema = /schemas\/(\d{4}\/\d\d\/\d\d)/.exec(text)![1]!;
      expect(schemaErrors(schema, Buffer.from(text, "latin1"))).toBe("");
    }
  });

  test("'Gensend' mails while EDI is unanswered, then sends a corrected letter", async () => {
    await upload();
    await alone();
    await sendEdi();
    await portal.as(admin, resendLetter, { referralId, ...one });
    await sendEdi();
    expect(letterFiles()).toHaveLength(1);
    await sendMail();
    expect(mails).toHaveLength(1);
    const first = numbers();
    await answers(first.letter);
    await answers(first.bin);
    await portal.as(admin, resendLetter, { referralId, ...one });
    await sendEdi();
    const [, second] = letterFiles()
      .map(({ text }) => text)
      .toSorted((a) => (a.includes("nytbrev") ? -1 : 1));
    expect(second).toContain("<StatusCode>rettetbrev</StatusCode>");
    expect(numberIn(second!)).not.toBe(first.letter);
    expect(await letter()).toMatchObject({ status: 0, edi: { outcome: "awaiting", mail: null } });
  });

  test("a new PDF replaces a queued one; a queued letter is withdrawn", async () => {
    await upload();
    await alone();
    const newer = await upload(1, await letterPdf(["Rettet brev"]));
    await sendEdi();
    expect(letterFiles()).toHaveLength(1);
    expect(letterFiles()[0]!.text).toContain("Rettet brev");
    expect(newer.length).toBeGreaterThan(0);
    await portal.as(admin, resendLetter, { referralId, ...one });
    await portal.as(admin, withdrawLetter, { referralId, ...one });
    expect((await sendMail()).data).toEqual({ sent: false });
    await portal.as(admin, declineLetters, { referralId, declined: "on" });
    portal.clock.advance({ hours: 25 });
    await portal.as(system, settleOverdue, {});
    expect((await sendMail()).data).toEqual({ sent: false });
    const open = await portal.db
      .selectFrom("outbox")
      .select("id")
      .where("outcome", "in", ["failed", "unknown"])
      .where("handledAt", "is", null)
      .execute();
    expect(open).toEqual([]);
  });

  test("the list filters letters awaiting a receipt; a deleted one is not sent", async () => {
    await upload();
    await alone();
    const work = async () => (await portal.as(admin, listDischargeLetters, {})).work.map(({ key }) => key);
    await sendEdi();
    expect(await work()).toContain("onlyQueued");
    await portal.as(admin, resendLetter, { referralId, ...one });
    await sendMail();
    expect(await work()).not.toContain("onlyQueued");
    await upload(2);
    await portal.as(admin, deleteLetter, { referralId, letterNumber: 2 });
    await sendEdi();
    expect(letterFiles()).toHaveLength(1);
  });

  test("ticking the box mails a letter that went by EDI alone; without EDI no box", async () => {
    await expect(alone()).rejects.toMatchObject({ name: "notInScope" });
    await upload();
    await alone();
    await sendEdi();
    await portal.as(admin, setEdiAsEmail, { referralId, ...one, sendEdiTerminationAsEmail: true });
    await sendMail();
    expect(mails).toHaveLength(1);
    await wantsEdi(THEIRS, false);
    await upload(2);
    await expect(
      portal.as(admin, setEdiAsEmail, { referralId, letterNumber: 2, sendEdiTerminationAsEmail: true }),
    ).rejects.toMatchObject({ name: "invalid" });
  });
});
