import { Readable } from "node:stream";
import { describe, expect, test } from "vitest";
import { encodeAttachment } from "~/features/delivery/channels/edi.server";
import type { AttachmentLetter } from "~/features/edi/reading/letter";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";
import {
  composeAttachment,
  composeDischargeLetter,
  type DischargeLetter,
  type LetterParty,
} from "./compose-discharge-letter";
import { canCheckSchemas, schemaErrors } from "../../../../tests/support/edi/schemas";
import { letterNumberOf, objectNumberOf, readLetterNumber } from "./letter-numbers";

const row = { id: 4711, rowKey: "0f3ca19b44d25e6677889900aabbccdd" };
const pdf = Buffer.from("%PDF-1.7 et brev med æøå");

const clinic: LetterParty = {
  ean: "5790000201389",
  identifier: "079741",
  identifierCode: "ydernummer",
  organisation: "Kæbekirurgisk Klinik ved Østre Anlæg & Søn, København",
  unit: null,
  street: "Østre Allé 1",
  zip: "2100",
  city: "København Ø",
  phone: "33 12 34 56",
};

const letter = (changes: Partial<DischargeLetter> = {}): DischargeLetter => ({
  numbers: {
    letter: letterNumberOf("letter", row),
    attachment: letterNumberOf("attachment", row),
    object: objectNumberOf(row),
  },
  sentAt: new Date("2026-12-01T09:05:00Z"),
  from: clinic,
  to: { ...clinic, ean: "5790000121526", identifier: "5790000121526", identifierCode: "lokationsnummer", street: null },
  patient: { cpr: "010170-1234", firstName: "Åse", lastName: "Ærø-Østergård" },
  answers: null,
  isCorrection: false,
  text: "Kære Hans\n\nTanden 48 < 49 & ukompliceret.\nSuturer fjernes “om en uge”.",
  pdf: { name: "Udskrivningsbrev_1_1.pdf", sizeBytes: pdf.length },
  ...changes,
});

const latin1 = (text: string) => Buffer.from(text, "latin1");
const attachmentOf = (made: DischargeLetter, bytes = pdf) =>
  encodeAttachment(composeAttachment(made), {
    name: "brev.pdf",
    sizeBytes: bytes.length,
    open: async () => Readable.from([bytes.subarray(0, 4), bytes.subarray(4, 5), bytes.subarray(5)]),
  });

const strange = letter({
  patient: { cpr: "010170-1234", firstName: "", lastName: `Łukasz 😀${"x".repeat(90)}` },
  from: { ...clinic, organisation: "", street: "", zip: "", city: "", phone: "" },
  text: `Ł “citat” – \u0000\u0007\ud800 😀\n${"æ".repeat(30_000)}`,
  pdf: { name: "å".repeat(200), sizeBytes: 1 },
  isCorrection: true,
});

describe("a discharge letter by EDI", () => {
  test("names its PDF, referral, sender and receiver; its text keeps its lines", () => {
    const made = composeDischargeLetter(letter({ answers: { letterId: "Brv5678", isToSpecialist: true } }));
    expect(made).toContain("<PrivateSpecialistLetter><Letter><Identifier>L0F3CA13MV</Identifier>");
    expect(made).toContain("<VersionCode>XD0733L</VersionCode>");
    expect(made).toContain("<Referral><Identifier>Brv5678</Identifier></Referral>");
    expect(made).toContain("<CivilRegistrationNumber>0101701234</CivilRegistrationNumber>");
    expect(made).toContain(
      "<Text01>Kære Hans<Break/><Break/>Tanden 48 &lt; 49 &amp; ukompliceret.<Break/>Suturer fjernes &#8220;om en uge&#8221;.</Text01>",
    );
    expect(made).toContain("<ObjectIdentifier>0F3CA19B-44D2-5E66-7788-9900AABBCCD</ObjectIdentifier>");
    expect(composeDischargeLetter(letter())).toContain("<StatisticalCode>XDIS01</StatisticalCode>");
  });

  test("its PDF is read back byte for byte, however the store hands it out", async () => {
    for (const bytes of [pdf, pdf.subarray(1), pdf.subarray(2), Buffer.alloc(0)]) {
      const envelope = readEnvelope(
        await attachmentOf(letter({ pdf: { name: "brev.pdf", sizeBytes: bytes.length || 1 } }), bytes),
      );
      if ("isBroken" in envelope) throw new Error(envelope.text);
      const [read] = envelope.letters as [AttachmentLetter];
      expect(envelope.wantsReceipt).toBe(true);
      if (bytes.length === 0) continue;
      expect(read).toMatchObject({ kind: "attachment", identifier: "B0F3CA13MV", patient: { cpr: "010170-1234" } });
      expect(read.objects).toEqual([{ objectId: "0F3CA19B-44D2-5E66-7788-9900AABBCCDD", extension: "pdf", bytes }]);
    }
  });

  test("characters that windows-1252 or XML lack, and long texts, are replaced or cut", () => {
    const made = composeDischargeLetter(strange);
    expect(made).toMatch(/^[\n\u0020-\u007e\u00a0-\u00ff]+$/);
    expect(made).toContain("<PersonSurnameName>&#321;ukasz &#128512;x");
    expect(made).toContain("(Teksten er forkortet her. Hele brevet er i den vedlagte PDF.)</Text01>");
    expect(made.length).toBeLessThan(25_000);
  });

  test("a receipt finds its message by the letter's number; an unknown number finds none", () => {
    expect(readLetterNumber("L0F3CA13MV")).toEqual({ part: "letter", outboxId: 4711 });
    expect(readLetterNumber("B0F3CA13MV")).toEqual({ part: "attachment", outboxId: 4711 });
    for (const foreign of ["Brv5678", "KB17", "L0F3CA1", "X0F3CA13MV", "L0F3CA1000000001", ""])
      expect(readLetterNumber(foreign)).toBeNull();
    expect(letterNumberOf("letter", { ...row, id: 999_999_999 }).length).toBeLessThanOrEqual(14);
  });
});

test.skipIf(!canCheckSchemas)(
  "is valid by MedCom's schemas (needs xmllint and EDI_SCHEMAS)",
  { tags: ["matrix", "xmllint"] },
  async () => {
    const answers = { letterId: "Brv5678", isToSpecialist: false };
    const made: [schema: string, bytes: Buffer][] = [
      ["2005/08/07", latin1(composeDischargeLetter(letter()))],
      ["2005/08/07", latin1(composeDischargeLetter(letter({ answers, isCorrection: true })))],
      ["2005/08/07", latin1(composeDischargeLetter(strange))],
      ["2007/02/01", latin1(composeDischargeLetter(letter({ answers: { ...answers, isToSpecialist: true } })))],
      ["2007/02/01", latin1(composeDischargeLetter({ ...strange, answers: { ...answers, isToSpecialist: true } }))],
      ["2012/03/28", await attachmentOf(letter())],
      ["2012/03/28", await attachmentOf(strange)],
    ];
    for (const [schema, message] of made) expect(schemaErrors(schema, message)).toBe("");
  },
);
