import type { Secrets } from "~/access/secrets.server";
import type { DbOrTx } from "~db/connection.server";
import { sealedReply } from "~/access/sealed-column.server";
import { findReturnedTexts } from "./store.server";
import { unsealMessage } from "./sealed-message.server";

export function readMessageOf<Content>(
  secrets: Secrets,
  row: { row_key: string | null; recipient_encrypted: string; content_encrypted: string },
): { to: string | null; content: Content | null } {
  const { to, content } = unsealMessage(secrets, row);
  return { to, content: content === null ? null : (JSON.parse(content) as Content) };
}

export async function readReturnedTexts(db: DbOrTx, secrets: Secrets, outboxId: number): Promise<string[]> {
  const rows = await findReturnedTexts(db, outboxId);
  return rows.flatMap((row) => {
    const opened = row.content_encrypted === null ? null : sealedReply.open(secrets, row);
    return opened === null ? [] : (JSON.parse(opened) as { text: string }).text;
  });
}
