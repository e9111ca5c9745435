import type { Secrets } from "~/access/secrets.server";
import { unsealMessage } from "./sealed-message.server";

export { findOutboxMessage } from "./message-store.server";

/** To whom a message goes and what it says; nulls where its row does not open. */
export function readMessageOf<Content>(
  secrets: Secrets,
  row: { row_key: string | null; recipient_encrypted: string; content_encrypted: string },
): { to: string | null; content: Content | null } {
  const { to, content } = unsealMessage(secrets, row);
  return { to, content: content === null ? null : (JSON.parse(content) as Content) };
}
