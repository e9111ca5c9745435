import { type DbOrTx, insertUnlessThere } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { ChannelName } from "../delivery-outcome";
import type { MessageText, TemplateKind } from "./default-texts";

export async function findVersions(db: DbOrTx, kind: TemplateKind, channel: ChannelName) {
  return db
    .selectFrom("message_template")
    .leftJoin("user as author", "author.id", "message_template.author_id")
    .select([
      "message_template.version",
      "message_template.subject",
      "message_template.body",
      "message_template.created_at",
      "author.first_name as author_first_name",
      "author.last_name as author_last_name",
    ])
    .where("message_template.kind", "=", kind)
    .where("message_template.channel", "=", channel)
    .orderBy("message_template.version", "desc")
    .execute();
}

export async function findNewestTexts(db: DbOrTx, kinds: readonly TemplateKind[]) {
  if (kinds.length === 0) return [];
  return db
    .selectFrom("message_template as text")
    .select(["text.kind", "text.channel", "text.subject", "text.body"])
    .where("text.kind", "in", kinds)
    .where(({ eb, selectFrom }) =>
      eb(
        "text.version",
        "=",
        selectFrom("message_template as version")
          .select(({ fn }) => fn.max("version.version").as("newest"))
          .whereRef("version.kind", "=", "text.kind")
          .whereRef("version.channel", "=", "text.channel"),
      ),
    )
    .execute();
}

/** Adds a version; false if somebody else has added that number first. */
export async function insertVersion(
  db: DbOrTx,
  { authorId, ...text }: MessageText & { kind: TemplateKind; channel: ChannelName; version: number; authorId: number },
  now: Date,
): Promise<boolean> {
  return insertUnlessThere(db, "message_template", { ...text, created_at: toMoment(now), author_id: authorId });
}
