import { readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "vitest";
import type { Envelope, Letter } from "~/features/edi/reading/letter";
import { readEnvelope } from "~/features/edi/reading/read-envelope.server";

const folder = path.resolve(import.meta.dirname, "../../files/edi");
export const sample = (name: string) => readFileSync(path.join(folder, name));
export const latin = (text: string) => Buffer.from(text, "latin1");

export function envelopeOf(bytes: Buffer): Envelope {
  const envelope = readEnvelope(bytes);
  if ("isBroken" in envelope) throw new Error(envelope.text);
  return envelope;
}
export function letterOf<L extends Letter>(bytes: Buffer, kind: L["kind"]): L {
  const [letter] = envelopeOf(bytes).letters;
  expect(letter).toMatchObject({ kind });
  return letter as L;
}
export const edited = (name: string, from: string | RegExp, to: string) =>
  latin(sample(name).toString("latin1").replace(from, to));

export function refusalOf(bytes: Buffer): { refuseCode: string; text: string } {
  const envelope = readEnvelope(bytes);
  if ("isBroken" in envelope) return { refuseCode: envelope.refuseCode, text: envelope.text };
  const [letter] = envelope.letters;
  if (letter?.kind !== "refused") throw new Error("it was not refused");
  return { refuseCode: letter.refuseCode, text: letter.text };
}
