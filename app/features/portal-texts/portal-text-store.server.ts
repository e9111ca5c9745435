import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { PortalText, PortalTextKind } from "./portal-text-kinds";

export async function findNewestText(db: DbOrTx, kind: PortalTextKind): Promise<PortalText | null> {
  const row = await db
    .selectFrom("portalText")
    .select(["version", "body", "buttonText as buttonText"])
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row ?? null;
}

export function findVersions(db: DbOrTx, kind: PortalTextKind) {
  return db
    .selectFrom("portalText")
    .leftJoin("user as author", "author.id", "portalText.authorId")
    .select([
      "portalText.version",
      "portalText.body",
      "portalText.buttonText as buttonText",
      "portalText.createdAt",
      "author.firstName as authorFirstName",
      "author.lastName as authorLastName",
    ])
    .where("portalText.kind", "=", kind)
    .orderBy("portalText.version", "desc")
    .execute();
}

export function insertText(
  db: DbOrTx,
  kind: PortalTextKind,
  { version, body, buttonText }: PortalText,
  { authorId = null, now }: { authorId?: number | null; now: Date },
): Promise<boolean> {
  return insertUnlessThere(db, "portalText", {
    kind,
    version,
    body,
    buttonText,
    createdAt: toMoment(now),
    authorId,
  });
}
