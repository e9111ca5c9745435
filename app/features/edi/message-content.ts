import type {
  AttachmentLetter,
  CorrespondenceLetter,
  Party,
  RefusedLetter,
  ReceiptLetter,
  ReferralLetter,
  Syntax,
} from "./reading/letter";

import type { WrittenLetter } from "./reading/edi-job";

/** A letter without the bytes of its files, which are kept as files. */
export type StoredLetter =
  Omit<ReferralLetter, "objects"> | CorrespondenceLetter | Omit<AttachmentLetter, "objects"> | ReceiptLetter;

/** What is kept of a message, encrypted. */
export interface MessageContent {
  syntax: Syntax;
  wantsReceipt: boolean;
  /** Null where it could not be read. */
  letter: StoredLetter | null;
  /** Of the letter with its files; absent where it could not be read, and from those that came before it was kept. */
  digest?: string;
  sender: Party | null;
  receiver: Party | null;
  /** Of a letter whose name is another: who the register says it is. */
  registerName?: string;
}

export function storedLetterOf({ digest: _digest, ...letter }: Exclude<WrittenLetter, RefusedLetter>): StoredLetter {
  if (!("objects" in letter)) return letter as StoredLetter;
  const { objects: _objects, ...rest } = letter;
  return rest as StoredLetter;
}

export const cprOfLetter = (letter: StoredLetter | null) =>
  letter === null || letter.kind === "receipt" ? null : (letter.patient?.cpr ?? null);

/** The sender as a person knows them: `Hans Jensen, Lægehuset`. */
export function senderName(content: Pick<MessageContent, "letter" | "sender">): string | null {
  const { letter, sender } = content;
  const person = letter?.kind === "referral" ? letter.referrer?.name : null;
  const parts = [person, sender?.unit, sender?.organisation].flatMap((part) => part ?? []);
  return parts.length > 0 ? [...new Set(parts)].join(", ") : (sender?.ean ?? null);
}
