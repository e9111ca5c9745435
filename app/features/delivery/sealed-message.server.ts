import { newRowKey, rowContext, type Secrets } from "~/access/secrets.server";

/** A message's receiver and content as a row keeps them: unreadable, and bound to that row. */
export function sealMessage(secrets: Secrets, to: string, content: string) {
  const rowKey = newRowKey();
  return {
    row_key: rowKey,
    recipient_encrypted: sealRecipient(secrets, to, rowKey),
    content_encrypted: secrets.encrypt("outbox", content, rowContext("outbox", "content_encrypted", rowKey)),
  };
}

/** By which an answer finds its message; without the key the numbers cannot be tried. */
export const numberHash = (secrets: Secrets, to: string) => secrets.lookup("phone", to);

/** Bound to its row's key, like the content. */
export const sealRecipient = (secrets: Secrets, to: string, rowKey: string | null) =>
  secrets.encrypt("outbox", to, rowContext("outbox", "recipient_encrypted", rowKey));

/** What a row holds for whom; null where it does not open, as when it came from another row. */
export function unsealMessage(
  secrets: Secrets,
  row: { row_key: string | null; recipient_encrypted: string; content_encrypted: string },
): { to: string | null; content: string | null } {
  const unseal = (column: "recipient_encrypted" | "content_encrypted") =>
    secrets.decrypt("outbox", row[column], rowContext("outbox", column, row.row_key));
  return { to: unseal("recipient_encrypted"), content: unseal("content_encrypted") };
}
