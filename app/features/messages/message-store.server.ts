import type { Updateable } from "kysely";
import { changesAny, type DbOrTx, rowCount, type Tx } from "~db/connection.server";
import type { ReferralTable } from "~db/schema";
import { type Actor } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { inScope, referralScope, type ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

/** The thread's referral in scope. Throws `notInScope`. */
export async function findThread(db: DbOrTx, actor: Actor, referralId: number) {
  const row = await inScope(
    db
      .selectFrom("referral")
      .select(["id", "referrer_id", "surgeon_id", "surgeon_has_unread_messages", "referrer_has_unread_messages"])
      .where("id", "=", referralId),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

export async function findMessages(db: DbOrTx, referralId: ScopedReferralId) {
  return db.selectFrom("message").selectAll().where("referral_id", "=", referralId).orderBy("id").execute();
}

export const countFromReferrer = (db: DbOrTx, referralId: ScopedReferralId): Promise<number> =>
  rowCount(db.selectFrom("message").where("referral_id", "=", referralId).where("is_from_admin", "=", 0));

export async function findMessage(db: DbOrTx, referralId: ScopedReferralId, messageId: number) {
  return (
    (await db
      .selectFrom("message")
      .selectAll()
      .where("referral_id", "=", referralId)
      .where("id", "=", messageId)
      .executeTakeFirst()) ?? null
  );
}

/** Time of the newest message or edit of a referral in scope; null if none. */
export async function newestChange(db: DbOrTx, actor: Actor, referralId: number): Promise<string | null> {
  const row = await db
    .selectFrom("referral")
    .select((eb) => {
      const messages = eb.selectFrom("message").whereRef("message.referral_id", "=", "referral.id");
      return [
        messages.select((of) => of.fn.max("message.created_at").as("at")).as("written_at"),
        messages.select((of) => of.fn.max("message.edited_at").as("at")).as("edited_at"),
      ];
    })
    .where("referral.id", "=", referralId)
    .where(referralScope(actor))
    .executeTakeFirst();
  return latest(row?.written_at ?? null, row?.edited_at ?? null);
}

export const latest = (one: string | null, other: string | null) =>
  (one ?? "") > (other ?? "") ? one : (other ?? one);

export async function insertMessage(
  tx: Tx,
  message: {
    referralId: ScopedReferralId;
    /** Id 0 for somebody without an account, whose message nobody can edit. */
    author: { id: number; name: string };
    isFromAdmin: boolean;
    text: string;
    newestSeenId?: number;
  },
  now: Date,
): Promise<number> {
  const row = await tx
    .insertInto("message")
    .values({
      referral_id: message.referralId,
      is_from_admin: Number(message.isFromAdmin),
      author_id: message.author.id,
      author_name: message.author.name,
      text: message.text,
      created_at: toMoment(now),
      edited_at: null,
      newest_seen_id: message.newestSeenId ?? null,
    })
    .executeTakeFirstOrThrow();
  return Number(row.insertId);
}

/** Overwrites the version seen. Throws `conflict` if somebody else was first. */
export async function updateMessage(
  tx: Tx,
  { id, seenVersion, text, now }: { id: number; seenVersion: number; text: string; now: Date },
): Promise<void> {
  const isUpdated = await changesAny(
    tx
      .updateTable("message")
      .set((eb) => ({ text, edited_at: toMoment(now), version: eb("version", "+", 1) }))
      .where("id", "=", id)
      .where("version", "=", seenVersion),
  );
  if (!isUpdated)
    throw new Refusal("conflict", {
      text: "Beskeden er rettet, siden du åbnede den. Se den nye udgave, og prøv igen.",
    });
}

type Marks = Pick<
  Updateable<ReferralTable>,
  "has_unanswered_message" | "surgeon_has_unread_messages" | "referrer_has_unread_messages"
>;

/** Sets the marks of overview and thread; not an edit, so the version stays. */
export async function setMarks(tx: Tx, referralId: ScopedReferralId, marks: Marks): Promise<void> {
  await tx.updateTable("referral").set(marks).where("id", "=", referralId).execute();
}

/** Whether the other side has written a message that is newer than the newest one seen. */
export async function hasNewer(
  db: DbOrTx,
  referralId: ScopedReferralId,
  { isFromAdmin, newestSeenId }: { isFromAdmin: boolean; newestSeenId: number },
): Promise<boolean> {
  const row = await db
    .selectFrom("message")
    .select("id")
    .where("referral_id", "=", referralId)
    .where("is_from_admin", "=", Number(isFromAdmin))
    .where("id", ">", newestSeenId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
