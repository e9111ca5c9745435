import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { settleOverdue } from "~/features/delivery/settle-messages.server";
import { listEdi, listEdiLetters } from "~/features/edi/list/edi-list.server";
import type { AttachmentLetter } from "~/features/edi/reading/letter";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";
import { ediLettersPortal, OURS, REFUSED, system, THEIRS } from "../../../tests/support/portals/edi-letters-portal";
import { forEachDatabase, type TestPortal } from "../../../tests/support/test-portal";

forEachDatabase("discharge letters by EDI", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let admin: Person;
  let referralId: number;
  let mails: { to: string; text: string }[];
  const { out, upload, alone, sendEdi, sendMail, letter, messages, files, letterFiles, log, answers, numbers } =
    ediLettersPortal(dialect, (begun) => {
      ({ portal, admin, referralId, mails } = begun);
    });

  test("goes as XDIS01 with text and PDF, and by mail; arrived once both receipts are in", async () => {
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

  test("by EDI alone: a refusal sends it by mail, and is not listed as a failure", async () => {
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
    expect((await messages()).map(({ channel, outcome, handledNote: note }) => [channel, outcome, note])).toEqual([
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

  test("unanswered it goes by mail after the set hours; a late answer still counts", async () => {
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

  test("a failed mail of a letter that arrived by EDI is neither listed nor resent", async () => {
    await upload();
    await sendEdi();
    await answers(numbers().letter);
    await answers(numbers().bin);
    await sendMail(REFUSED);
    expect(await letter()).toMatchObject({ status: 1 });
    expect((await messages()).map(({ outcome, handledNote }) => [outcome, handledNote])).toEqual([
      ["sent", null],
      ["failed", "Brevet er sendt via EDI"],
    ]);
  });
});
