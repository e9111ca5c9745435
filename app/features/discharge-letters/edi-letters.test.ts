import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { letterPdf } from "~db/demo/demo-documents.server";
import type { Person } from "~/access/actor";
import { sealedCpr } from "~/access/sealed-column.server";
import { settleOverdue } from "~/features/delivery/settle-overdue.server";
import { sendMessage } from "~/features/delivery/send-message.server";
import { importEdi } from "~/features/edi/import-edi.server";
import { listEdi } from "~/features/edi/list/list-edi.server";
import { listEdiLetters } from "~/features/edi/list/list-edi-letters.server";
import type { AttachmentLetter, RefuseCode } from "~/features/edi/reading/letter";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";
import { composeReceipt } from "~/features/edi/receipts/compose-receipt";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeLetter } from "~/files/store-letter.server";
import type { SendResult } from "~/gateways/sending/port";
import { systemCaller } from "~/jobs/system-caller";
import { aClinic, aPerson } from "../../../tests/factories/people";
import { aReferral } from "../../../tests/factories/referrals";
import { dropEdi, ediSample } from "../../../tests/support/edi/drop";
import { canCheckSchemas, schemaErrors } from "../../../tests/support/edi/schemas";
import { createTestPortal, forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";
import { deleteLetter } from "./delete-letter.server";
import { declineLetters, setEdiAsEmail } from "./letter-choices.server";
import { listDischargeLetters } from "./list-discharge-letters.server";
import { readDischargeLetters } from "./read-discharge-letters.server";
import { resendLetter, withdrawLetter } from "./resend-letter.server";
import { uploadLetter } from "./upload-letter.server";

const OURS = "5790000000005";
const THEIRS = "5790000121526";
const SENT: SendResult = { outcome: "sent", detail: "" };
const REFUSED: SendResult = { outcome: "refused", detail: "550 Ukendt modtager", reason: "noMailbox" };
const system = { kind: "system", job: "test" } as const;
const one = { letterNumber: 1 };

forEachDatabase("discharge letters by EDI", (dialect) => {
  let portal: TestPortal;
  let root: string;
  let admin: Person;
  let dentist: Person;
  let referralId: number;
  let mails: { to: string; text: string }[];
  let keys = 0;

  beforeAll(async () => {
    root = mkdtempSync(path.join(os.tmpdir(), "portal-edi-out-"));
    for (const name of ["in", "out"]) mkdirSync(path.join(root, "edi", name), { recursive: true });
    portal = await createTestPortal(dialect, { env: { EDI_DIR: path.join(root, "edi"), EDI_GLN: OURS } });
    admin = await aPerson(portal, { role: "Admin" });
    dentist = await aPerson(portal, { role: "Dentist", clinicIds: [await aClinic(portal)] });
  });
  afterAll(async () => {
    await portal.close();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(async () => {
    portal.clock.set("2026-12-01T09:00:00.000Z");
    await portal.db.deleteFrom("outbox").execute();
    await portal.db.deleteFrom("delivery_event").execute();
    for (const name of readdirSync(out())) rmSync(path.join(out(), name));
    mails = [];
    await wantsEdi(THEIRS);
    referralId = await aReferral(portal, dentist);
    await replaceCpr("010170-1234");
  });

  const out = () => path.join(root, "edi", "out");
  const wantsEdi = (ediId: string | null, on = 1) =>
    portal.db
      .updateTable("user")
      .set({ send_ending_letters_via_edi: on, edi_dentist_id: ediId })
      .where("id", "=", dentist.id)
      .execute();
  const upload = async (letterNumber = 1, pdf?: Buffer) => {
    const formKey = `edi-${++keys}`;
    const bytes =
      pdf ?? (await letterPdf(["Udskrivningsbrev", "Kære Åse. Tanden 48 er fjernet, uden komplikationer."]));
    const stored = await storeLetter(portal, { name: "brev.pdf", pdf: bytes });
    await portal.as(admin, stageUploads, { formKey, files: [{ ...stored, field: "letterPdf", kind: "letter" }] });
    await portal.as(admin, uploadLetter, { referralId, letterNumber, formKey });
    return bytes;
  };
  /** The choice of EDI alone is kept with a letter that is there. */
  const alone = () => portal.as(admin, setEdiAsEmail, { referralId, ...one, sendEdiTerminationAsEmail: false });
  const sendEdi = async () => {
    while ((await portal.as(system, sendMessage, { owner: "a", channel: "edi" })).data?.sent);
  };
  const sendMail = (result: SendResult = SENT) => {
    const email = {
      label: "",
      mode: "live" as const,
      deduplicates: false,
      async send(mail: unknown) {
        mails.push(mail as (typeof mails)[number]);
        return result;
      },
    };
    return ({ ...portal, email } as TestPortal).as(system, sendMessage, { owner: "a", channel: "email" });
  };
  const letter = async () => (await portal.as(admin, readDischargeLetters, { referralId })).letters[0]!;
  const messages = () =>
    portal.db
      .selectFrom("outbox")
      .select(["id", "channel", "outcome", "detail", "handled_note"])
      .where("kind", "=", "dischargeLetter")
      .where("referral_id", "=", referralId)
      .orderBy("id")
      .execute();
  const files = () =>
    readdirSync(out())
      .toSorted()
      .map((name) => ({ name, text: readFileSync(path.join(out(), name), "latin1") }));
  const letterFiles = () => files().filter(({ name }) => !name.endsWith("-bin.xml"));
  const numberIn = (text: string) => /<Letter><Identifier>(\w+)</.exec(text)![1]!;
  const log = async () =>
    (await portal.db.selectFrom("visit_log").select("event").where("referral_id", "=", referralId).execute()).map(
      ({ event }) => event,
    );

  let receipts = 0;
  /** The receiver's system answers for a letter or a file of ours. */
  async function answers(number: string, { code = null, from = THEIRS, wholeEnvelope = false }: Answer = {}) {
    receipts += 1;
    const text = composeReceipt({
      // A refusal gives its reason in XML alone.
      syntax: code === null && receipts % 2 === 0 ? "edifact" : "xml",
      envelopeId: `TK${receipts}`,
      letterId: `TB${receipts}`,
      sentAt: portal.clock.now(),
      ourEan: from,
      theirEan: OURS,
      original: {
        envelopeId: number,
        letterId: wholeEnvelope ? null : number,
        version: wholeEnvelope ? null : "XD0133L",
        messageType: "MEDDIS",
      },
      refusal: code === null ? null : { code, text: "Søren Møller kender vi ikke" },
    });
    dropEdi(root, `kvittering${receipts}.xml`, text);
    await importEdi(portal, systemCaller("edi"));
  }
  interface Answer {
    code?: RefuseCode | null;
    from?: string;
    wholeEnvelope?: boolean;
  }
  const numbers = () => {
    const [bin, own] = [files().find(({ name }) => name.endsWith("-bin.xml"))!, letterFiles()[0]!];
    return { letter: numberIn(own.text), bin: numberIn(bin.text) };
  };

  test("goes as XDIS01 with its text and its PDF, and by mail as well; it has arrived once both receipts have", async () => {
    const pdf = await upload();
    await sendMail();
    await sendEdi();
    expect(mails).toHaveLength(1);
    expect(files()).toHaveLength(2);
    const own = letterFiles()[0]!.text;
    for (const part of [
      "<VersionCode>XD0133L</VersionCode>",
      "<StatusCode>nytbrev</StatusCode>",
      `<Sender><EANIdentifier>${OURS}</EANIdentifier>`,
      `<Receiver><EANIdentifier>${THEIRS}</EANIdentifier>`,
      "Kære Åse. Tanden 48 er fjernet, uden komplikationer.",
    ])
      expect(own).toContain(part);
    const bin = readFileSync(path.join(out(), files().find(({ name }) => name.endsWith("-bin.xml"))!.name));
    const envelope = readEnvelope(bin);
    if ("isBroken" in envelope) throw new Error(envelope.text);
    const [attachment] = envelope.letters as [AttachmentLetter];
    expect(Buffer.compare(attachment.objects[0]!.bytes, pdf)).toBe(0);
    expect(own).toContain(attachment.objects[0]!.objectId.slice(0, 35));
    expect(await letter()).toMatchObject({ status: 1, edi: { outcome: "awaiting", mail: "sent", receipts: [] } });

    const { letter: number, bin: binNumber } = numbers();
    await answers(number, { from: "5790000999999" });
    expect((await letter()).edi!.receipts).toEqual([]);
    await answers(number);
    await answers(number);
    expect(await letter()).toMatchObject({
      edi: { outcome: "awaiting", receipts: [{ part: "letter", isPositive: true }] },
    });
    await answers(binNumber, { wholeEnvelope: true });
    expect(await letter()).toMatchObject({
      status: 1,
      edi: { outcome: "sent", receipts: [{ part: "letter" }, { part: "attachment" }] },
    });
    await answers(number, { code: "syntaksfejl" });
    expect((await letter()).edi!.outcome).toBe("sent");
    expect(mails).toHaveLength(1);
    const page = await portal.as(admin, listEdi, { visitNumber: String(referralId) });
    expect(page.rows).toHaveLength(5);
    expect(page.rows[0]).toMatchObject({ state: "receipt", referralId });
    const sent = async (state?: string) => (await portal.as(admin, listEdiLetters, { state })).rows;
    const expectedEdi = {
      outcome: "sent",
      receipts: [{ part: "letter" }, { part: "letter", isPositive: false }, { part: "attachment" }],
    };
    expect(await sent()).toMatchObject([{ referralId, to: THEIRS, letterNumber: 1, edi: expectedEdi }]);
    expect([await sent("waiting"), await sent("refused")]).toEqual([[], []]);
    expect(await sent("answered")).toHaveLength(1);
    expect((await log()).filter((event) => event === "Udskrivningsbrev: Sendt")).toHaveLength(2);
  });

  test("by EDI alone: a refusal sends it by mail automatically, and the refusal is not listed as a failure", async () => {
    await upload();
    await alone();
    await sendEdi();
    expect((await sendMail()).data).toEqual({ sent: false });
    expect(await letter()).toMatchObject({ status: 0, attempts: 1, edi: { outcome: "awaiting", mail: "withdrawn" } });
    await answers(numbers().letter, { code: "ukendt_lokationsnummer" });
    expect(await letter()).toMatchObject({
      status: 0,
      attempts: 1,
      edi: { outcome: "failed", detail: "Modtageren kender ikke lokationsnummeret", mail: "queued" },
    });
    expect((await portal.as(admin, listEdiLetters, { state: "refused" })).rows).toMatchObject([
      { referralId, edi: { outcome: "failed", mail: "queued", receipts: [{ isPositive: false }] } },
    ]);
    expect((await messages()).map(({ channel, outcome, handled_note: note }) => [channel, outcome, note])).toEqual([
      ["edi", "failed", "Brevet går som e-mail i stedet"],
      ["email", "withdrawn", null],
      ["email", "queued", null],
    ]);
    await sendMail();
    expect(mails).toHaveLength(1);
    expect(await letter()).toMatchObject({ status: 1, edi: { outcome: "failed", mail: "sent" } });
    expect(await log()).toContain(
      "Udskrivningsbrev 1 går som e-mail i stedet for EDI: Modtageren kender ikke lokationsnummeret",
    );
    expect((await log()).join()).not.toContain("Møller kender");
    await answers(numbers().bin);
    await sendEdi();
    expect(letterFiles()).toHaveLength(1);
  });

  test("a refusal of the PDF refuses the letter", async () => {
    await upload();
    await alone();
    await sendEdi();
    await answers(numbers().letter);
    await answers(numbers().bin, { code: "problem_med_version", wholeEnvelope: true });
    expect((await letter()).edi).toMatchObject({
      outcome: "failed",
      detail: "Modtageren kan ikke læse brevets version (PDF-filen)",
      mail: "queued",
    });
  });

  test("without an answer it goes by mail after the hours of the settings; one that comes later still counts", async () => {
    await upload();
    await alone();
    await sendEdi();
    portal.clock.advance({ hours: 23 });
    await portal.as(system, settleOverdue, {});
    expect((await letter()).edi!.outcome).toBe("awaiting");
    portal.clock.advance({ hours: 2 });
    await portal.as(system, settleOverdue, {});
    expect(await letter()).toMatchObject({
      status: 0,
      edi: { outcome: "unknown", detail: "Modtageren har ikke kvitteret", mail: "queued" },
    });
    await answers(numbers().letter);
    await answers(numbers().bin);
    expect(await letter()).toMatchObject({ status: 1, edi: { outcome: "sent", mail: "withdrawn" } });
    expect((await sendMail()).data).toEqual({ sent: false });
    await upload(2);
  });

  test("a late receipt after the mail, positive or negative, changes only the receipt", async () => {
    await upload();
    await alone();
    await sendEdi();
    portal.clock.advance({ hours: 25 });
    await portal.as(system, settleOverdue, {});
    await sendMail();
    await answers(numbers().letter, { code: "syntaksfejl" });
    expect(await letter()).toMatchObject({ status: 1, edi: { outcome: "failed", mail: "sent" } });
    await answers(numbers().letter);
    await answers(numbers().bin);
    expect(await letter()).toMatchObject({ status: 1, edi: { outcome: "failed", mail: "sent" } });
    expect(mails).toHaveLength(1);
    expect((await messages()).map(({ channel }) => channel)).toEqual(["edi", "email", "email"]);
  });

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
    ["a change of mind", async () => wantsEdi(THEIRS, 0), "Henviseren får ikke længere breve via EDI"],
    [
      "a PDF of 31 MB",
      async () =>
        portal.db
          .updateTable("stored_file")
          .set({ size_bytes: 31 * 1024 * 1024 })
          .where("id", "=", await pdfId())
          .execute(),
      "Pdf-filen fylder 31 MB, og EDI tager højst 30 MB",
    ],
    [
      "an empty PDF",
      async () =>
        portal.db
          .updateTable("stored_file")
          .set({ size_bytes: 0 })
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

  async function replaceCpr(cpr: string) {
    await portal.db
      .updateTable("referral")
      .set(sealedCpr.seal(portal.secrets, cpr))
      .where("id", "=", referralId)
      .execute();
  }
  const pdfId = async () =>
    (
      await portal.db
        .selectFrom("discharge_letter")
        .select("diagnosis_file_id")
        .where("referral_id", "=", referralId)
        .executeTakeFirstOrThrow()
    ).diagnosis_file_id;

  test("is sent by mail when EDI is not configured, and a test referral is never sent by EDI", async () => {
    const { config } = portal;
    portal.config = { ...config, edi: null, production: true };
    await upload();
    expect(await letter()).toMatchObject({ isEdi: true, edi: null, status: 0 });
    expect((await portal.as(admin, readDischargeLetters, { referralId })).manage!.isEdiSet).toBe(false);
    await sendMail();
    expect(mails).toHaveLength(1);
    portal.config = config;
    await portal.db.updateTable("referral").set({ is_test: 1 }).where("id", "=", referralId).execute();
    await upload(2);
    expect((await messages()).map(({ channel }) => channel)).toEqual(["email", "email"]);
  });

  test("a referral to specialists is answered where it came from, by XDIS07", async () => {
    const ediId = /<EANIdentifier>(\d+)/.exec(ediSample("REF06_1.xml").split("<Sender>")[1]!)![1]!;
    await wantsEdi(ediId);
    await portal.db
      .updateTable("user")
      .set({ first_name: "Hans", last_name: "Andersen" })
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

  test("'Gensend' sends the mail while EDI is unanswered, and once it is answered a corrected letter under another number", async () => {
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

  test("a new PDF replaces a queued one; a queued letter is withdrawn, and a declined letter is not sent", async () => {
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
      .where("handled_at", "is", null)
      .execute();
    expect(open).toEqual([]);
  });

  test("the list filters letters awaiting a receipt; a deleted letter is sent neither by mail nor by EDI", async () => {
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

  test("a failed mail of a letter that arrived by EDI is not listed as a failure and not resent", async () => {
    await upload();
    await sendEdi();
    await answers(numbers().letter);
    await answers(numbers().bin);
    await sendMail(REFUSED);
    expect(await letter()).toMatchObject({ status: 1 });
    expect((await messages()).map(({ outcome, handled_note }) => [outcome, handled_note])).toEqual([
      ["sent", null],
      ["failed", "Brevet er sendt via EDI"],
    ]);
  });

  test("ticking the box sends the mail of a letter that went by EDI alone; one without EDI has no such box", async () => {
    await expect(alone()).rejects.toMatchObject({ name: "notInScope" });
    await upload();
    await alone();
    await sendEdi();
    await portal.as(admin, setEdiAsEmail, { referralId, ...one, sendEdiTerminationAsEmail: true });
    await sendMail();
    expect(mails).toHaveLength(1);
    await wantsEdi(THEIRS, 0);
    await upload(2);
    await expect(
      portal.as(admin, setEdiAsEmail, { referralId, letterNumber: 2, sendEdiTerminationAsEmail: true }),
    ).rejects.toMatchObject({ name: "invalid" });
  });
});
