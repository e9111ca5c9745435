import { decodeXml, isEdifact } from "./edifact-segments";
import { readInterchange } from "./edifact-interchange.server";
import {
  refusedLetter,
  checkVersion,
  EdiError,
  type EdiObject,
  type Envelope,
  type Letter,
  type RefuseCode,
  requireText,
  syntaxError,
} from "./letter";
import {
  keyAt,
  letterElements,
  lineAt,
  partyOf,
  readXmlLetter,
  elementAt,
  readXmlTree,
  type XmlElement,
} from "./xml-letter.server";
import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { letterDigest } from "~/features/edi/receive/read-letters.server";
import type { EdiAnswer, EdiJob, WrittenLetter, WrittenObject } from "./edi-job";

export interface BrokenEnvelope {
  isBroken: true;
  refuseCode: RefuseCode;
  text: string;
}

const MAX_LETTERS = 200;

/** Reads EDIFACT or XML. Never throws: errors become texts of the envelope or of a single letter. */
export function readEnvelope(bytes: Buffer): Envelope | BrokenEnvelope {
  try {
    const envelope = isEdifact(bytes) ? readInterchange(bytes) : readXmlEnvelope(bytes);
    if (envelope.letters.length > MAX_LETTERS) throw syntaxError(`Kuverten har flere end ${MAX_LETTERS} breve.`);
    return envelope;
  } catch (error) {
    if (!(error instanceof EdiError)) throw error;
    return { isBroken: true, refuseCode: error.refuseCode, text: error.message };
  }
}

function readXmlEnvelope(bytes: Buffer): Envelope {
  const root = readXmlTree(decodeXml(bytes));
  if (root.name !== "Emessage") throw syntaxError("Filen er ikke en MedCom-meddelelse (Emessage).");
  const envelope = elementAt(root, "Envelope");
  const identifier = keyAt(envelope, "Identifier");
  if (identifier === null || identifier.length > 14) throw syntaxError("Kuverten har ikke noget gyldigt nummer.");
  const letters = root.children.filter(
    (child): child is XmlElement => typeof child !== "string" && !["Envelope", "Local_Elements"].includes(child.name),
  );
  if (letters.length === 0) throw syntaxError("Kuverten er tom.");
  return {
    syntax: "xml",
    identifier,
    senderEan: null,
    receiverEan: null,
    wantsReceipt: lineAt(envelope, "AcknowledgementCode") === "pluspositivkvitt",
    letters: letters.map(letterIn),
  };
}

function letterIn(element: XmlElement): Letter {
  const identifier = keyAt(element, "Letter", "Identifier");
  const version = lineAt(element, "Letter", "VersionCode");
  // Receipts have no TypeCode.
  const type = lineAt(element, "Letter", "TypeCode") ?? lineAt(element, "Letter", "StatisticalCode");
  try {
    const kind = letterElements[element.name];
    checkVersion(type ?? element.name, version ?? "");
    if (kind === undefined)
      throw new EdiError("problem_med_version", `Vi modtager ikke breve af typen ${element.name.slice(0, 40)}.`);
    if (requireText(identifier, "Brevets nummer").length > 14)
      throw syntaxError("Brevets nummer er længere end 14 tegn.");
    return readXmlLetter(element, kind, { identifier: identifier!, type: type!, version: version! });
  } catch (error) {
    const party = (name: string) => {
      const found = elementAt(element, name);
      return found === undefined ? null : partyOf(found, name);
    };
    return refusedLetter(error, {
      identifier: identifier !== null && identifier.length <= 14 ? identifier : null,
      type,
      version,
      sender: party("Sender"),
      receiver: party("Receiver"),
    });
  }
}

/** Reads a file of up to 64 MB. Only in a reader process: a large letter takes seconds and hundreds of megabytes. */
export async function readEdiFile({ sourcePath, folder }: EdiJob): Promise<EdiAnswer> {
  const envelope = readEnvelope(await readFile(sourcePath));
  if ("isBroken" in envelope) return envelope;
  const letters: WrittenLetter[] = [];
  for (const [position, letter] of envelope.letters.entries())
    letters.push(await withWrittenObjects(letter, (nth) => path.join(folder, `${position}-${nth}`)));
  return { ...envelope, letters };
}

async function withWrittenObjects(letter: Letter, pathOf: (nth: number) => string): Promise<WrittenLetter> {
  if (letter.kind === "refused") return letter;
  const digest = letterDigest(letter);
  if (!("objects" in letter)) return { ...letter, digest };
  return { ...letter, digest, objects: await writeObjects(letter.objects, pathOf) };
}

const writeObjects = (objects: readonly EdiObject[], pathOf: (nth: number) => string): Promise<WrittenObject[]> =>
  Promise.all(
    objects.map(async ({ objectId, extension, bytes }, nth) => {
      await writeFile(pathOf(nth), bytes, { mode: 0o600 });
      return { objectId, extension, path: pathOf(nth) };
    }),
  );
