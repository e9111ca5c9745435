import type { ReceivedPatient } from "~/features/referrals/model/received-patient";

/** What a MedCom message says, whichever syntax it came in. Texts have a line break where the sender had one, and no blanks around them. */

export type Syntax = "xml" | "edifact";

/** The reasons that a negative receipt may give; the words are the standard's. */
export type RefuseCode =
  "ikke_specificeret" | "ukendt_lokationsnummer" | "problem_med_modtagerID" | "problem_med_version" | "syntaksfejl";

export interface Party {
  /** Location number (GLN), thirteen digits. */
  ean: string | null;
  identifier: string | null;
  /** `ydernummer`, `sorkode`, `sygehusafdelingsnummer` … as the XML calls it. */
  identifierCode: string | null;
  organisation: string | null;
  department: string | null;
  unit: string | null;
  phone: string | null;
}

export interface ReferringPerson {
  identifier: string | null;
  identifierCode: string | null;
  name: string | null;
  title: string | null;
}

export interface EdiPatient extends Omit<ReceivedPatient, "cpr"> {
  /** `DDMMYY-XXXX`, replacement numbers among them; null where what stands there is none. */
  cpr: string | null;
  /** As it stands in the message. */
  writtenId: string;
  /** `YYYY-MM-DD`, only where the message says it beside the number. */
  birthDate: string | null;
}

/** An attachment that a letter names and that comes in a message of its own. */
export interface Reference {
  objectId: string;
  description: string | null;
  extension: string | null;
}

interface Common {
  /** 1 to 14 characters, the sender's own. */
  identifier: string;
  /** `XREF01`, `REF06` … */
  type: string;
  /** `XH0130R`, `H0630R` … */
  version: string;
  status: "new" | "corrected" | "cancelled";
  sender: Party;
  receiver: Party;
}

export interface ReferralLetter extends Common {
  kind: "referral";
  referrer: ReferringPerson | null;
  patient: EdiPatient;
  /** `elektiv`, `akut`, `saerlige_forhold`, or the sender's code where it is none of these. */
  priority: string | null;
  transport: string | null;
  /** What a specialist is asked for, such as 'Diagnose og behandling'. */
  purpose: string | null;
  diagnoses: { code: string | null; text: string }[];
  reason: string | null;
  supplementary: string | null;
  cave: string | null;
  anamnesis: string | null;
  examination: string | null;
  medicine: string | null;
  relative: string | null;
  references: Reference[];
  /** Addresses that the letter refers to. */
  links: string[];
  /** Files that came in the same interchange. */
  objects: EdiObject[];
}

export interface CorrespondenceLetter extends Common {
  kind: "correspondence";
  patient: EdiPatient;
  isUrgent: boolean;
  subject: string | null;
  text: string;
  references: Reference[];
}

export interface EdiObject {
  objectId: string;
  /** Lower case, without the dot. */
  extension: string;
  bytes: Buffer;
}

export interface AttachmentLetter extends Common {
  kind: "attachment";
  /** Null where it is about no patient. */
  patient: EdiPatient | null;
  objects: EdiObject[];
}

/** What somebody says of a letter that we sent them. */
export interface ReceiptLetter extends Common {
  kind: "receipt";
  isPositive: boolean;
  originalEnvelope: string;
  originals: { identifier: string; refuseCode: string | null; refuseText: string | null }[];
  refuseCode: string | null;
  refuseText: string | null;
}

/** A letter that cannot be taken, in words, with as much as is known of it. */
export interface RefusedLetter {
  kind: "refused";
  identifier: string | null;
  type: string | null;
  version: string | null;
  sender: Party | null;
  receiver: Party | null;
  refuseCode: RefuseCode;
  /** Danish. */
  text: string;
}

export type ReadLetter = ReferralLetter | CorrespondenceLetter | AttachmentLetter | ReceiptLetter;
export type Letter = ReadLetter | RefusedLetter;

export interface Envelope {
  syntax: Syntax;
  identifier: string;
  /** The location numbers of the envelope itself; null in XML, where each letter has them. */
  senderEan: string | null;
  receiverEan: string | null;
  /** The sender wants a positive receipt. */
  wantsReceipt: boolean;
  letters: Letter[];
}

/** Something is not as the standard has it. The text is Danish, for the log and for the sender, and names no patient. */
export class EdiError extends Error {
  constructor(
    readonly refuseCode: RefuseCode,
    text: string,
  ) {
    super(text);
  }
}

export const syntaxError = (text: string) => new EdiError("syntaksfejl", text);

/** The types that are read, each in one version. */
export const knownVersions: Readonly<Record<string, string>> = {
  XREF01: "XH0130R",
  XREF06: "XH0630R",
  XDIS91: "XD9134L",
  XBIN01: "XB0131X",
  XCTL01: "XC0130Q",
  XCTL02: "XC0230Q",
  XCTL03: "XC0330Q",
  REF01: "H0130R",
  REF06: "H0630R",
  CTL01: "C0130Q",
  CTL02: "C0230Q",
  CTL03: "C0330Q",
};
