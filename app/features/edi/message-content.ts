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
  /** The register's name, if it differs from the letter's. */
  registerName?: string;
}

export function storedLetterOf({ digest: _digest, ...letter }: Exclude<WrittenLetter, RefusedLetter>): StoredLetter {
  if (!("objects" in letter)) return letter as StoredLetter;
  const { objects: _objects, ...rest } = letter;
  return rest as StoredLetter;
}

export const cprOfLetter = (letter: StoredLetter | null) =>
  letter === null || letter.kind === "receipt" ? null : (letter.patient?.cpr ?? null);

/** Readable sender: `Hans Jensen, Lægehuset`. */
export function senderName(content: Pick<MessageContent, "letter" | "sender">): string | null {
  const { letter, sender } = content;
  const person = letter?.kind === "referral" ? letter.referrer?.name : null;
  const parts = [person, sender?.unit, sender?.organisation].flatMap((part) => part ?? []);
  return parts.length > 0 ? [...new Set(parts)].join(", ") : (sender?.ean ?? null);
}
