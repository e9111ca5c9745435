import type { Outcome } from "~/features/delivery/delivery-outcome";
import type {
  AttachmentLetter,
  CorrespondenceLetter,
  Party,
  ReceiptLetter,
  ReferralLetter,
  RefusedLetter,
  Syntax,
} from "./reading/letter";
import type { WrittenLetter } from "./reading/edi-job";

export const ediStates = {
  new: "Indlæses",
  waiting: "Venter på brev",
  person: "Skal afgøres",
  imported: "Henvisning oprettet",
  attached: "Lagt på henvisning",
  receipt: "Kvittering modtaget",
  duplicate: "Modtaget før",
  refused: "Afvist",
  dismissed: "Lagt væk",
} as const;

export type EdiState = keyof typeof ediStates;

export const DUE_STATES = ["new", "waiting"] as const satisfies readonly EdiState[];

export const ediLetterStates = {
  waiting: "Venter på kvittering",
  answered: "Modtaget",
  refused: "Afvist eller ikke kommet frem",
  withdrawn: "Annulleret",
} as const;

export type EdiLetterState = keyof typeof ediLetterStates;

export const ediLetterOutcomes: Readonly<Record<EdiLetterState, readonly Outcome[]>> = {
  waiting: ["queued", "awaiting"],
  answered: ["sent"],
  refused: ["failed", "unknown"],
  withdrawn: ["withdrawn"],
};

export const ediKinds = {
  referral: "Henvisning",
  correspondence: "Korrespondance",
  attachment: "Bilag",
  receipt: "Kvittering",
  refused: "Ukendt",
} as const;

export type EdiKind = keyof typeof ediKinds;

/** Why a message waits for a person or is refused, one sentence each. */
export const ediReasons = {
  noCpr: "Brevet har ikke noget gyldigt CPR-nummer.",
  birthDateDiffers: "Fødselsdatoen i brevet passer ikke til CPR-nummeret.",
  birthDateUnlikely: "Patienten er efter CPR-nummeret ikke født endnu eller over 105 år.",
  notInRegister: "CPR-registret kender ikke nummeret.",
  registerNameDiffers: "Navnet i brevet er et andet end i CPR-registret.",
  dead: "Personen er død ifølge CPR-registret.",
  nameDiffers: "Navnet i brevet er et andet end på patientens tidligere henvisning.",
  registerSilent: "CPR-registret svarer ikke, så navnet er ikke kontrolleret.",
  otherWords: "Brevets nummer er kommet før med et andet indhold.",
  corrected: "Afsenderen har rettet et brev.",
  cancelled: "Afsenderen har trukket et brev tilbage.",
  noReferral: "Patienten har ingen åben henvisning, som brevet kan lægges på.",
  severalReferrals: "Patienten har flere åbne henvisninger, som brevet kan høre til.",
  noLetter: "Det brev, som bilaget hører til, er ikke kommet.",
  otherPatient: "Bilaget og dets brev er om hver sin patient.",
  unexpected: "Brevet kunne ikke indlæses på grund af en fejl.",
} as const;

export type EdiReason = keyof typeof ediReasons;

/** Hours during which related messages may arrive in any order and the register may be silent. */
export const WAIT_HOURS = 4;

export const EDI_DAYS = 90;

/** A letter without its files' bytes, which are stored as files. */
export type StoredLetter =
  Omit<ReferralLetter, "objects"> | CorrespondenceLetter | Omit<AttachmentLetter, "objects"> | ReceiptLetter;

export interface MessageContent {
  syntax: Syntax;
  wantsReceipt: boolean;
  letter: StoredLetter | null;
  /** Digest of letter and files; absent for unreadable and older messages. */
  digest?: string;
  sender: Party | null;
  receiver: Party | null;
  registerName?: string;
}

export function storedLetterOf({ digest: _digest, ...letter }: Exclude<WrittenLetter, RefusedLetter>): StoredLetter {
  if (!("objects" in letter)) return letter as StoredLetter;
  const { objects: _objects, ...rest } = letter;
  return rest as StoredLetter;
}

export const patientOfLetter = (letter: StoredLetter | null) =>
  letter === null || letter.kind === "receipt" ? null : letter.patient;

export const cprOfLetter = (letter: StoredLetter | null) => patientOfLetter(letter)?.cpr ?? null;

const priorities: Readonly<Record<string, string>> = {
  elektiv: "elektiv",
  akut: "akut",
  saerlige_forhold: "særlige forhold",
};

/** 'elektiv' or nothing is ordinary; an unknown code is treated as urgent. */
export const isUrgentPriority = (priority: string | null) => priority !== null && priority !== "elektiv";

export const priorityWords = (priority: string | null) =>
  priority === null ? null : (priorities[priority] ?? priority);

/** What is read of a letter before it is decided: how urgent it is, and the first line of its text. */
export function letterBrief(letter: StoredLetter | null): {
  isUrgent: boolean;
  priority: string | null;
  firstLine: string | null;
} {
  if (letter?.kind === "referral")
    return {
      isUrgent: isUrgentPriority(letter.priority),
      priority: priorityWords(letter.priority),
      firstLine: firstLineOf([letter.purpose, letter.reason, letter.anamnesis, letter.diagnoses[0]?.text]),
    };
  if (letter?.kind === "correspondence")
    return {
      isUrgent: letter.isUrgent,
      priority: letter.isUrgent ? "høj" : null,
      firstLine: firstLineOf([letter.subject, letter.text]),
    };
  return { isUrgent: false, priority: null, firstLine: null };
}

/** What the sender wrote, besides allergies and medicine of a referral, which have fields of their own. */
export function textsOfLetter(letter: StoredLetter | null): (string | null)[] {
  if (letter?.kind === "correspondence") return [letter.subject, letter.text];
  if (letter?.kind !== "referral") return [];
  const { purpose, reason, diagnoses, anamnesis, examination, supplementary } = letter;
  return [purpose, reason, ...diagnoses.map(({ text }) => text), anamnesis, examination, supplementary];
}

const LINE_SIGNS = 160;

function firstLineOf(texts: readonly (string | null | undefined)[]): string | null {
  const text = texts.map((each) => each?.trim() ?? "").find((each) => each !== "");
  if (text === undefined) return null;
  const line = text.slice(0, 2000).split("\n", 1)[0]!;
  return line.length > LINE_SIGNS ? `${line.slice(0, LINE_SIGNS - 1)}…` : line;
}

export function senderName(content: Pick<MessageContent, "letter" | "sender">): string | null {
  const { letter, sender } = content;
  const person = letter?.kind === "referral" ? letter.referrer?.name : null;
  const parts = [person, sender?.unit, sender?.organisation].flatMap((part) => part ?? []);
  return parts.length > 0 ? [...new Set(parts)].join(", ") : (sender?.ean ?? null);
}
