import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { PortalText, PortalTextKind } from "./portal-text-kinds";

export async function findNewestText(db: DbOrTx, kind: PortalTextKind): Promise<PortalText | null> {
  const row = await db
    .selectFrom("portal_text")
    .select(["version", "body", "button_text as buttonText"])
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export function findVersions(db: DbOrTx, kind: PortalTextKind) {
  return db
    .selectFrom("portal_text")
    .leftJoin("user as author", "author.id", "portal_text.author_id")
    .select([
      "portal_text.version",
      "portal_text.body",
      "portal_text.button_text as buttonText",
      "portal_text.created_at",
      "author.first_name as author_first_name",
      "author.last_name as author_last_name",
    ])
    .where("portal_text.kind", "=", kind)
    .orderBy("portal_text.version", "desc")
    .execute();
}

export function insertText(
  db: DbOrTx,
  kind: PortalTextKind,
  { version, body, buttonText }: PortalText,
  { authorId = null, now }: { authorId?: number | null; now: Date },
): Promise<boolean> {
  return insertUnlessThere(db, "portal_text", {
    kind,
    version,
    body,
    button_text: buttonText,
    created_at: toMoment(now),
    author_id: authorId,
  });
}
