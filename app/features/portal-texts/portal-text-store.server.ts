import { type DbOrTx, forUpdate } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { PortalText, PortalTextKind } from "./portal-text-kinds";

export async function findNewestText(db: DbOrTx, kind: PortalTextKind): Promise<PortalText | null> {
  return (await newestText(db, kind).executeTakeFirst()) ?? null;
}

/** The newest text, locked until the end of the transaction, so that the versions of two people follow one another. */
export async function lockNewestText(db: DbOrTx, kind: PortalTextKind): Promise<PortalText | null> {
  return (await forUpdate(db, newestText(db, kind)).executeTakeFirst()) ?? null;
}

const newestText = (db: DbOrTx, kind: PortalTextKind) =>
  db
    .selectFrom("portalText")
    .select(["version", "body", "buttonText as buttonText"])
    .where("kind", "=", kind)
    .orderBy("version", "desc")
    .limit(1);

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

export async function insertText(
  db: DbOrTx,
  kind: PortalTextKind,
  { version, body, buttonText }: PortalText,
  { authorId = null, now }: { authorId?: number | null; now: Date },
): Promise<void> {
  await db
    .insertInto("portalText")
    .values({ kind, version, body, buttonText, createdAt: toMoment(now), authorId })
    .execute();
}
