import { expect, test } from "vitest";
import type { ReceiptLetter, Syntax } from "~/features/edi/reading/letter";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";
import { canCheckSchemas, schemaErrors } from "../../../../tests/support/edi/schemas";
import { composeReceipt, type Receipt } from "./process-receipt.server";

const text =
  "Brevet siger, at det har 38 segmenter, men har 39: det er ikke kommet helt + 'noget' <andet> & mere? Ring til klinikken, hvis det ikke hjælper at sende det igen.";

const receipt = (syntax: Syntax, changes: Partial<Receipt> = {}): Receipt => ({
  syntax,
  envelopeId: "KV17",
  letterId: "KB17",
  sentAt: new Date("2026-12-01T09:05:00Z"),
  ourEan: "5790000201389",
  theirEan: "5790000121526",
  original: { envelopeId: "Kuv'1+2", letterId: "Brv:1?", version: "H0130R", messageType: "MEDREF" },
  refusal: { code: "syntaksfejl", text },
  ...changes,
});

const readBack = (made: Receipt) => {
  const envelope = readEnvelope(Buffer.from(composeReceipt(made), "latin1"));
  if ("isBroken" in envelope) throw new Error(envelope.text);
  return envelope.letters[0] as ReceiptLetter;
};

test.each(["xml", "edifact"] as const)("a refusal in %s is read back as it was meant, a long reason too", (syntax) => {
  expect(readBack(receipt(syntax))).toMatchObject({
    kind: "receipt",
    isPositive: false,
    identifier: "KB17",
    sender: { ean: "5790000201389" },
    receiver: { ean: "5790000121526" },
    originalEnvelope: "Kuv'1+2",
    originals: [{ identifier: "Brv:1?", refuseText: text }],
  });
});

test.each(["xml", "edifact"] as const)(
  "a yes in %s, and a refusal of an envelope whose letter nobody could read",
  (syntax) => {
    expect(readBack(receipt(syntax, { refusal: null }))).toMatchObject({
      isPositive: true,
      originals: [{ identifier: "Brv:1?" }],
    });
    const original = { envelopeId: "Kuv1", letterId: null, version: null, messageType: "MEDREF" as const };
    expect(readBack(receipt(syntax, { original }))).toMatchObject({ originals: [], refuseText: text });
  },
);

test.skipIf(!canCheckSchemas)(
  "are valid by MedCom's schema (needs xmllint and EDI_SCHEMAS)",
  { tags: ["matrix", "xmllint"] },
  () => {
    const withoutLetter = { envelopeId: "Kuv1", letterId: null, version: null, messageType: "MEDREF" as const };
    const inXml = { envelopeId: "Kuv1", letterId: "Brv1", version: "XH0130R", messageType: "MEDREF" as const };
    const made = [
      receipt("xml", { original: inXml }),
      receipt("xml", { original: inXml, refusal: null }),
      receipt("xml", { original: withoutLetter }),
    ];
    for (const one of made) expect(schemaErrors("2005/08/07", Buffer.from(composeReceipt(one), "latin1"))).toBe("");
  },
);
