import { type DbOrTx, forUpdate } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { ChannelName } from "../delivery-outcome";
import type { MessageText, TemplateKind } from "./message-templates";

export async function findVersions(db: DbOrTx, kind: TemplateKind, channel: ChannelName) {
  return db
    .selectFrom("messageTemplate")
    .leftJoin("user as author", "author.id", "messageTemplate.authorId")
    .select([
      "messageTemplate.version",
      "messageTemplate.subject",
      "messageTemplate.body",
      "messageTemplate.createdAt",
      "author.firstName as authorFirstName",
      "author.lastName as authorLastName",
    ])
    .where("messageTemplate.kind", "=", kind)
    .where("messageTemplate.channel", "=", channel)
    .orderBy("messageTemplate.version", "desc")
    .execute();
}

export async function findNewestTexts(db: DbOrTx, kinds: readonly TemplateKind[]) {
  if (kinds.length === 0) return [];
  return db
    .selectFrom("messageTemplate as text")
    .select(["text.kind", "text.channel", "text.subject", "text.body"])
    .where("text.kind", "in", kinds)
    .where(({ eb, selectFrom }) =>
      eb(
        "text.version",
        "=",
        selectFrom("messageTemplate as version")
          .select(({ fn }) => fn.max("version.version").as("newest"))
          .whereRef("version.kind", "=", "text.kind")
          .whereRef("version.channel", "=", "text.channel"),
      ),
    )
    .execute();
}

/** The newest version, locked until the end of the transaction, so that those of two people follow one another. */
export function lockNewestVersion(db: DbOrTx, kind: TemplateKind, channel: ChannelName) {
  const newest = db
    .selectFrom("messageTemplate")
    .select(["version", "subject", "body"])
    .where("kind", "=", kind)
    .where("channel", "=", channel)
    .orderBy("version", "desc")
    .limit(1);
  return forUpdate(db, newest).executeTakeFirst();
}

export async function insertVersion(
  db: DbOrTx,
  { authorId, ...text }: MessageText & { kind: TemplateKind; channel: ChannelName; version: number; authorId: number },
  now: Date,
): Promise<void> {
  await db
    .insertInto("messageTemplate")
    .values({ ...text, createdAt: toMoment(now), authorId })
    .execute();
}
