import type { ChangeContext } from "~/access/operation.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import type { StoredLetter } from "~/features/edi/message-content";
import { letterDigest } from "~/features/edi/receive/letter-digest.server";
import { type EdiMessage, settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import { findSameNumber } from "~/features/edi/store/same-number-store.server";
import { deleteLooseObjects, deleteReferences } from "~/features/edi/store/edi-object-store.server";

/**
 * Handles a repeated letter number: same content is a duplicate, other content is for a person. Returns whether it was
 * repeated.
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

/** Older letters without a digest are compared by text; an unreadable one equals no other. */
function digestOf({ id, content }: EdiMessage): string {
  const letter = content?.letter ?? null;
  return content?.digest ?? (letter === null ? `unread ${id}` : letterDigest(letter));
}
