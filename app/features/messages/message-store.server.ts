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
      .select(["id", "referrerId", "surgeonId", "surgeonHasUnreadMessages", "referrerHasUnreadMessages"])
      .where("id", "=", referralId),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

export async function findMessages(db: DbOrTx, referralId: ScopedReferralId) {
  return db.selectFrom("message").selectAll().where("referralId", "=", referralId).orderBy("id").execute();
}

export const countFromReferrer = (db: DbOrTx, referralId: ScopedReferralId): Promise<number> =>
  rowCount(db.selectFrom("message").where("referralId", "=", referralId).where("isFromAdmin", "=", false));

export async function findMessage(db: DbOrTx, referralId: ScopedReferralId, messageId: number) {
  return (
    (await db
      .selectFrom("message")
      .selectAll()
      .where("referralId", "=", referralId)
      .where("id", "=", messageId)
      .executeTakeFirst()) ?? null
  );
}

/** Time of the newest message or edit of a referral in scope; null if none. */
export async function newestChange(db: DbOrTx, actor: Actor, referralId: number): Promise<string | null> {
  const row = await db
    .selectFrom("referral")
    .select((eb) => {
      const messages = eb.selectFrom("message").whereRef("message.referralId", "=", "referral.id");
      return [
        messages.select((of) => of.fn.max("message.createdAt").as("at")).as("writtenAt"),
        messages.select((of) => of.fn.max("message.editedAt").as("at")).as("editedAt"),
      ];
    })
    .where("referral.id", "=", referralId)
    .where(referralScope(actor))
    .executeTakeFirst();
  return latest(row?.writtenAt ?? null, row?.editedAt ?? null);
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
      referralId: message.referralId,
      isFromAdmin: message.isFromAdmin,
      authorId: message.author.id,
      authorName: message.author.name,
      text: message.text,
      createdAt: toMoment(now),
      editedAt: null,
      newestSeenId: message.newestSeenId ?? null,
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
      .set((eb) => ({ text, editedAt: toMoment(now), version: eb("version", "+", 1) }))
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
  "hasUnansweredMessage" | "surgeonHasUnreadMessages" | "referrerHasUnreadMessages"
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
    .where("referralId", "=", referralId)
    .where("isFromAdmin", "=", isFromAdmin)
    .where("id", ">", newestSeenId)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
