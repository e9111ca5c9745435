import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";
import type { Selectable } from "kysely";
import type { Database } from "~db/schema";
import type { Kind } from "./message-kinds";

export function sealMessage(secrets: Secrets, to: string, content: string) {
  const rowKey = newRowKey();
  return {
    rowKey,
    recipientEncrypted: sealRecipient(secrets, to, rowKey),
    contentEncrypted: secrets.encrypt("outbox", content, rowContext("outbox", "contentEncrypted", rowKey)),
  };
}

/** Matches an answer to its message; keyed, so that numbers cannot be guessed. */
export const numberHash = (secrets: Secrets, to: string) => secrets.lookup("phone", to);

export const sealRecipient = (secrets: Secrets, to: string, rowKey: string | null) =>
  secrets.encrypt("outbox", to, rowContext("outbox", "recipientEncrypted", rowKey));

/** Decrypts a recipient; null if it is bound to another row. */
export function unsealMessage(
  secrets: Secrets,
  row: { rowKey: string | null; recipientEncrypted: string; contentEncrypted: string },
): { to: string | null; content: string | null } {
  const unseal = (column: "recipientEncrypted" | "contentEncrypted") =>
    secrets.decrypt("outbox", row[column], rowContext("outbox", column, row.rowKey));
  return { to: unseal("recipientEncrypted"), content: unseal("contentEncrypted") };
}

/** What a worker that claims a row needs of it, whatever its channel and state. */
export function claimedOf(secrets: Secrets, row: Selectable<Database["outbox"]>) {
  const { to, content } = unsealMessage(secrets, row);
  return {
    id: row.id,
    kind: row.kind as Kind,
    referralId: row.referralId,
    userId: row.userId,
    storedFileId: row.storedFileId,
    operationMoment: row.operationMoment,
    to: to ?? "",
    content: content ?? "",
    isUnreadable: to === null || content === null,
    attempts: row.attempts,
    rowKey: row.rowKey ?? "",
    createdAt: new Date(row.createdAt),
    waitingSince: row.waitingSince === null ? null : new Date(row.waitingSince),
  };
}
