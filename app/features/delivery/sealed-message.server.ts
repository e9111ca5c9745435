import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import type { Selectable } from "kysely";
import type { Database } from "~db/schema";
import type { Kind } from "./message-kinds";

export function sealMessage(secrets: Secrets, to: string, content: string) {
  const rowKey = newRowKey();
  return {
    row_key: rowKey,
    recipient_encrypted: sealRecipient(secrets, to, rowKey),
    content_encrypted: secrets.encrypt("outbox", content, rowContext("outbox", "content_encrypted", rowKey)),
  };
}

/** Matches an answer to its message; keyed, so that numbers cannot be guessed. */
export const numberHash = (secrets: Secrets, to: string) => secrets.lookup("phone", to);

export const sealRecipient = (secrets: Secrets, to: string, rowKey: string | null) =>
  secrets.encrypt("outbox", to, rowContext("outbox", "recipient_encrypted", rowKey));

/** Decrypts a recipient; null if it is bound to another row. */
export function unsealMessage(
  secrets: Secrets,
  row: { row_key: string | null; recipient_encrypted: string; content_encrypted: string },
): { to: string | null; content: string | null } {
  const unseal = (column: "recipient_encrypted" | "content_encrypted") =>
    secrets.decrypt("outbox", row[column], rowContext("outbox", column, row.row_key));
  return { to: unseal("recipient_encrypted"), content: unseal("content_encrypted") };
}

/** What a worker that claims a row needs of it, whatever its channel and state. */
export function claimedOf(secrets: Secrets, row: Selectable<Database["outbox"]>) {
  const { to, content } = unsealMessage(secrets, row);
  return {
    id: row.id,
    kind: row.kind as Kind,
    referralId: row.referral_id,
    userId: row.user_id,
    storedFileId: row.stored_file_id,
    operationMoment: row.operation_moment,
    to: to ?? "",
    content: content ?? "",
    isUnreadable: to === null || content === null,
    attempts: row.attempts,
    rowKey: row.row_key ?? "",
    createdAt: new Date(row.created_at),
    waitingSince: row.waiting_since === null ? null : new Date(row.waiting_since),
  };
}
