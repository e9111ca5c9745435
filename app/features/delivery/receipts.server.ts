import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { findOutboxMessage } from "./store.server";
import { unsealMessage } from "./sealed-message.server";

export async function recipientOf(db: DbOrTx, secrets: Secrets, id: number): Promise<string | null> {
  const row = await findOutboxMessage(db, id);
  return row === undefined ? null : unsealMessage(secrets, row).to;
}
