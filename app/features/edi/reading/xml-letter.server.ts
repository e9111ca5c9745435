import { gunzipSync } from "node:zlib";
import { createRequire } from "node:module";
import { lineOf, tidy } from "./edifact-segments";
import {
  type EdiObject,
  type EdiPatient,
  ediPatient,
  isPositive,
  type Party,
  type ReadLetter,
  type ReceiptParts,
  type Reference,
  type ReferringPerson,
  requireText,
  syntaxError,
} from "./letter";

export const letterElements: Readonly<Record<string, ReadLetter["kind"]>> = {
  HospitalReferral: "referral",
  PrivateSpecialistReferral: "referral",
  ClinicalEmail: "correspondence",
  BinaryLetter: "attachment",
  NegativeVansReceipt: "receipt",
  NegativeReceipt: "receipt",
  PositiveReceipt: "receipt",
};

interface LetterHead {
  identifier: string;
  type: string;
  version: string;
}

const rawTextAt = (from: XmlElement | undefined, ...names: string[]) => {
  const element = elementAt(from, ...names);
  return element === undefined ? "" : rawTextOf(element);
};

export const lineAt = (from: XmlElement | undefined, ...names: string[]) => lineOf(rawTextAt(from, ...names));

/** An identifier of the sender, unchanged because receipts repeat it. */
export function keyAt(from: XmlElement | undefined, ...names: string[]): string | null {
  const key = rawTextAt(from, ...names)
    .replace(/\s+/g, " ")
    .trim();
  return key === "" || key === "_" ? null : key;
}

function textAt(from: XmlElement | undefined, ...names: string[]): string | null {
  const element = elementAt(from, ...names);
  return element === undefined ? null : tidy(rawTextOf(withoutFileBreaks(element)));
}

const withoutFileBreaks = ({ name, children }: XmlElement): XmlElement => ({
  name,
  children: children.map((child) =>
    typeof child === "string" ? child.replace(/[ \t\r\n]+/g, " ") : withoutFileBreaks(child),
  ),
});

/** Reads a letter. Throws `EdiError`. */
export function readXmlLetter(letter: XmlElement, kind: ReadLetter["kind"], head: LetterHead): ReadLetter {
  const common = {
    ...head,
    status: statusOf(lineAt(letter, "Letter", "StatusCode")),
    sender: partyOf(elementAt(letter, "Sender"), "Afsenderen"),
    receiver: partyOf(elementAt(letter, "Receiver"), "Modtageren"),
  };
  switch (kind) {
    case "referral":
      return { kind, ...common, ...referralOf(letter), objects: [] };
    case "correspondence":
      return {
        kind,
        ...common,
        patient: patientAt(letter),
        isUrgent: (lineAt(letter, "AdditionalInformation", "Priority") ?? "rutine") !== "rutine",
        subject: lineAt(letter, "AdditionalInformation", "Subject"),
        text: childrenOf(letter, "ClinicalInformation")
          .flatMap((part) => textAt(part, "Text01") ?? [])
          .join("\n\n"),
        references: referencesOf(letter).references,
      };
    case "attachment":
      return {
        kind,
        ...common,
        patient: elementAt(letter, "Patient") === undefined ? null : patientAt(letter),
        objects: objectsOf(letter),
      };
    case "receipt":
      return { kind, ...common, isPositive: isPositive(head.type), ...receiptOf(letter) };
  }
}

function statusOf(written: string | null): "new" | "corrected" | "cancelled" {
  if (written === "rettetbrev") return "corrected";
  return written === "annulleretbrev" ? "cancelled" : "new";
}

export function partyOf(party: XmlElement | undefined, what: string): Party {
  if (party === undefined) throw syntaxError(`${what} mangler.`);
  return {
    ean: lineAt(party, "EANIdentifier"),
    identifier: lineAt(party, "Identifier"),
    identifierCode: lineAt(party, "IdentifierCode"),
    organisation: lineAt(party, "OrganisationName"),
    department: lineAt(party, "DepartmentName"),
    unit: lineAt(party, "UnitName"),
    phone: lineAt(party, "TelephoneSubscriberIdentifier"),
  };
}

function referralOf(letter: XmlElement) {
  const more = elementAt(letter, "AdditionalInformation");
  const clinical = elementAt(letter, "RelevantClinicalInformation");
  const refer = elementAt(letter, "Referral", "Refer");
  const isPurpose = lineAt(refer, "DiagnoseTypeCode") === "speciallaegehenvisning";
  const relative = elementAt(letter, "Relative");
  return {
    referrer: referrerOf(elementAt(letter, "Sender", "Referrer")),
    patient: patientAt(letter),
    priority: lineAt(more, "Priority"),
    transport: lineAt(more, "Transport"),
    purpose: isPurpose ? lineAt(refer, "DiagnoseText") : null,
    diagnoses: [
      ...(isPurpose ? [] : diagnosisOf(refer)),
      ...childrenOf(elementAt(letter, "Referral") ?? letter, "ReferralAdditional").flatMap(diagnosisOf),
    ],
    reason: textAt(more, "ClinicalReason"),
    supplementary: textAt(more, "Supplementary"),
    cave: textAt(clinical, "Cave"),
    anamnesis: textAt(clinical, "Anamnesis"),
    examination: textAt(clinical, "Examination"),
    medicine: textAt(clinical, "ActualMedicine"),
    relative:
      [lineAt(relative, "PersonGivenName"), lineAt(relative, "PersonSurnameName")].filter(Boolean).join(" ") || null,
    ...referencesOf(letter),
  };
}

function diagnosisOf(of: XmlElement | undefined): { code: string | null; text: string }[] {
  const [code, text] = [lineAt(of, "DiagnoseCode"), lineAt(of, "DiagnoseText")];
  return code === null && text === null ? [] : [{ code, text: text ?? code ?? "" }];
}

const referrerOf = (of: XmlElement | undefined): ReferringPerson | null =>
  of === undefined
    ? null
    : {
        identifier: lineAt(of, "Identifier"),
        identifierCode: lineAt(of, "IdentifierCode"),
        name: lineAt(of, "PersonName"),
        title: lineAt(of, "PersonTitle"),
      };

function patientAt(letter: XmlElement): EdiPatient {
  const patient = elementAt(letter, "Patient");
  if (patient === undefined) throw syntaxError("Patienten mangler.");
  const phones = childrenOf(patient, "TelephoneSubscriber").map((phone) => ({
    kind: lineAt(phone, "TelephoneSubscriberCode"),
    number: lineAt(phone, "TelephoneSubscriberIdentifier"),
  }));
  return ediPatient({
    id: lineAt(patient, "CivilRegistrationNumber") ?? lineAt(patient, "AlternativeIdentifier"),
    birthDate: null,
    firstName: lineAt(patient, "PersonGivenName"),
    lastName: lineAt(patient, "PersonSurnameName"),
    profession: lineAt(patient, "PersonTitle"),
    address: [lineAt(patient, "StreetName"), lineAt(patient, "SuburbName")].filter(Boolean).join(", ") || null,
    zip: lineAt(patient, "PostCodeIdentifier"),
    city: lineAt(patient, "DistrictName"),
    phone: phones.find(({ kind }) => kind !== "mobil" && kind !== "arbejde")?.number ?? null,
    mobilePhone: phones.find(({ kind }) => kind === "mobil")?.number ?? null,
    email: lineAt(patient, "EmailIdentifier"),
  });
}

function referencesOf(letter: XmlElement): { references: Reference[]; links: string[] } {
  const all = childrenOf(letter, "Reference");
  return {
    references: all.flatMap((reference) => {
      const objectId = keyAt(reference, "BIN", "ObjectIdentifier");
      const description = lineAt(reference, "RefDescription");
      return objectId === null
        ? []
        : [
            {
              objectId,
              description,
              extension: lineAt(reference, "BIN", "ObjectExtensionCode")?.toLowerCase() ?? null,
            },
          ];
    }),
    links: all.flatMap((reference) => lineAt(reference, "URL") ?? []),
  };
}

function objectsOf(letter: XmlElement): EdiObject[] {
  const objects = childrenOf(letter, "BinaryObject");
  if (objects.length === 0) throw syntaxError("Brevet har ingen filer.");
  return objects.map((object) => {
    const objectId = requireText(keyAt(object, "ObjectIdentifier"), "Filens nummer").slice(0, 36);
    const extension = requireText(lineAt(object, "ObjectExtensionCode"), "Filens type").toLowerCase().slice(0, 12);
    const written = lineAt(object, "OriginalObjectSize") ?? "";
    return { objectId, extension, bytes: bytesOf(elementAt(object, "Object_Base64Encoded"), Number(written)) };
  });
}

const MAX_OBJECT_BYTES = 100 * 1024 * 1024;

/** Decodes a file and unpacks gzip. The declared size may be that of either. Throws `EdiError`. */
function bytesOf(element: XmlElement | undefined, size: number): Buffer {
  const text = element === undefined ? "" : rawTextOf(element).replace(/\s+/g, "");
  if (text === "" || text.length % 4 !== 0 || !/^[A-Za-z0-9+/]+={0,2}$/.test(text))
    throw syntaxError("En fil er ikke gyldig Base64.");
  const sent = Buffer.from(text, "base64");
  const bytes = sent[0] === 0x1f && sent[1] === 0x8b ? unpacked(sent) : sent;
  if (size !== sent.length && size !== bytes.length)
    throw syntaxError(`En fil skal fylde ${Number.isFinite(size) ? size : "?"} byte, men fylder ${sent.length}.`);
  return bytes;
}

function unpacked(sent: Buffer): Buffer {
  try {
    return gunzipSync(sent, { maxOutputLength: MAX_OBJECT_BYTES });
  } catch {
    throw syntaxError("En fil er pakket med gzip og kan ikke pakkes ud.");
  }
}

function receiptOf(letter: XmlElement): ReceiptParts {
  const original = elementAt(letter, "OriginalEmessage");
  return {
    originalEnvelope: requireText(
      keyAt(original, "OriginalEnvelopeIdentifier"),
      "Nummeret på den kuvert, der kvitteres for,",
    ),
    originals: (original === undefined ? [] : childrenOf(original, "OriginalLetter")).map((one) => ({
      identifier: requireText(keyAt(one, "OriginalLetterIdentifier"), "Nummeret på det brev, der kvitteres for,"),
      refuseCode: lineAt(one, "RefuseCode"),
      refuseText: textAt(one, "RefuseText"),
    })),
    refuseCode: lineAt(original, "RefuseCode"),
    refuseText: textAt(original, "RefuseText"),
  };
}

export interface XmlElement {
  name: string;
  children: (XmlElement | string)[];
}

const MAX_DEPTH = 20;
const MAX_ELEMENTS = 50_000;
/** Attributes, texts and comments together. */
const MAX_PARTS = 200_000;
/** Total of an envelope, without Base64 files. */
const MAX_TEXT = 8 * 1024 * 1024;
const FILE_ELEMENT = "Object_Base64Encoded";

const loadSaxes = () => createRequire(import.meta.url)("saxes") as typeof import("saxes");

/** Parses a document. Throws `EdiError` for malformed XML and for a DOCTYPE. */
export function readXmlTree(text: string): XmlElement {
  const { SaxesParser } = loadSaxes();
  const parser = new SaxesParser();
  const open: XmlElement[] = [];
  const found: { root: XmlElement | null } = { root: null };
  let [count, parts, length] = [0, 0, 0];
  const countPart = () => {
    parts += 1;
    if (parts > MAX_PARTS) throw syntaxError("Brevet har for mange dele.");
  };
  parser.on("error", () => {
    throw syntaxError(`Brevet er ikke gyldig XML (linje ${parser.line}, tegn ${parser.column}).`);
  });
  parser.on("doctype", () => {
    throw syntaxError("Brevet har en DOCTYPE, og det modtages ikke.");
  });
  parser.on("opentag", ({ name }) => {
    count += 1;
    if (open.length >= MAX_DEPTH || count > MAX_ELEMENTS) throw syntaxError("Brevet har for mange elementer.");
    const element: XmlElement = { name: name.replace(/^.*:/, ""), children: [] };
    open.at(-1)?.children.push(element);
    found.root ??= element;
    open.push(element);
  });
  const addText = (given: string) => {
    countPart();
    const element = open.at(-1);
    if (element?.name !== FILE_ELEMENT) length += given.length;
    if (length > MAX_TEXT) throw syntaxError("Brevet har mere tekst, end der kan læses.");
    element?.children.push(given);
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  for (const part of ["attribute", "comment", "processinginstruction"] as const) parser.on(part, countPart);
  parser.on("closetag", () => void open.pop());
  parser.write(text).close();
  if (found.root === null) throw syntaxError("Brevet er tomt.");
  return found.root;
}

const isElement = (child: XmlElement | string): child is XmlElement => typeof child !== "string";

const childrenOf = ({ children }: XmlElement, name: string): XmlElement[] =>
  children.filter(isElement).filter((child) => child.name === name);

export function elementAt(from: XmlElement | undefined, ...names: string[]): XmlElement | undefined {
  let at = from;
  for (const name of names) at = at && childrenOf(at, name)[0];
  return at;
}

/** Text of an element: `Break` is a line break, `Space` a blank; formatting is ignored. */
export function rawTextOf({ children }: XmlElement): string {
  return children
    .map((child) => {
      if (!isElement(child)) return child;
      if (child.name === "Break") return "\n";
      return child.name === "Space" ? " " : rawTextOf(child);
    })
    .join("");
}
