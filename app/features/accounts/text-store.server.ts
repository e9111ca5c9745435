import type { DbOrTx } from "~db/connection.server";
import { toMoment } from "~/text/dates";

export interface PortalText {
  version: number;
  body: string;
  buttonText: string;
}

/** The newest version of a text that staff write: the conditions, or the secretaries' info popup. */
export async function newestText(db: DbOrTx, kind: "conditions" | "infoPopup"): Promise<PortalText | null> {
  const row = await db
    .selectFrom("portal_text")
    .selectAll()
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ? { version: row.version, body: row.body, buttonText: row.button_text } : null;
}

export async function insertText(
  db: DbOrTx,
  kind: "conditions" | "infoPopup",
  text: PortalText,
  now: Date,
): Promise<void> {
  await db
    .insertInto("portal_text")
    .values({ kind, version: text.version, body: text.body, button_text: text.buttonText, created_at: toMoment(now) })
    .execute();
}
