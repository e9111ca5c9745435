import type { ChangeContext } from "~/access/operation.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import type { StoredLetter } from "~/features/edi/message-content";
import { letterDigest } from "~/features/edi/receive/letter-digest.server";
import { type EdiMessage, settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import { findSameNumber } from "~/features/edi/store/same-number-store.server";
import { deleteLooseObjects, deleteReferences } from "~/features/edi/store/edi-object-store.server";

/**
 * Settles a letter whose number has come before: with the same words it is a duplicate; with other words a person reads both. Answers whether it
 * has come before.
 */
export async function settleRepeated(
  { tx, portal, now }: ChangeContext,
  message: EdiMessage,
  letter: StoredLetter,
): Promise<boolean> {
  const earlier = await findSameNumber(tx, portal.secrets, message);
  if (earlier === null) return false;
  const duplicateOf = earlier.id;
  if (digestOf(earlier) === digestOf(message)) {
    await discardStoredFiles(tx, await deleteLooseObjects(tx, message.id), now);
    await deleteReferences(tx, message.id);
    await settleEdiMessage(tx, message.id, { state: "duplicate", duplicateOf }, now);
  } else {
    const reason = letter.status === "new" ? "otherWords" : letter.status;
    await settleEdiMessage(tx, message.id, { state: "person", reason, duplicateOf }, now);
  }
  return true;
}

/** Letters that came before digests were kept are judged by their words; one that cannot be opened equals no other. */
function digestOf({ id, content }: EdiMessage): string {
  const letter = content?.letter ?? null;
  return content?.digest ?? (letter === null ? `unread ${id}` : letterDigest(letter));
}
