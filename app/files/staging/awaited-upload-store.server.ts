import type { ExpressionBuilder } from "kysely";
import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

export async function countArriving(db: DbOrTx, referralId: ScopedReferralId): Promise<number> {
  const { files } = await db
    .selectFrom("partial_upload")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("referral_id", "=", referralId)
    .where("state", "=", "arriving")
    .executeTakeFirstOrThrow();
  return Number(files);
}

/** Marks a referral's unfinished uploads as awaited since a moment; null clears it. */
export async function markAwaited(tx: Tx, referralId: ScopedReferralId, since: Date | null): Promise<void> {
  await tx
    .updateTable("partial_upload")
    .set({ awaited_at: since && toMoment(since) })
    .where("referral_id", "=", referralId)
    .where("state", "=", "arriving")
    .where("awaited_at", since ? "is" : "is not", null)
    .execute();
}

export interface RefusedFile {
  fileName: string;
  refusal: string;
  /** A ZIP of which some files were accepted; `refusal` names the others. */
  isPartlyReceived: boolean;
}

export async function giveUpUpload(tx: Tx, id: string, refusal: string): Promise<void> {
  await tx
    .updateTable("partial_upload")
    .set({ state: "refused", refusal })
    .where("id", "=", id)
    .where("state", "=", "arriving")
    .execute();
}

export const wasAwaitedInVain = (eb: ExpressionBuilder<Database, "partial_upload">) =>
  eb.and([eb("partial_upload.refusal", "is not", null), eb("partial_upload.awaited_at", "is not", null)]);

export async function findRefusedAwaited(
  db: DbOrTx,
  referralIds: readonly number[],
): Promise<(RefusedFile & { referralId: number })[]> {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("partial_upload")
    .select(["referral_id", "file_name", "refusal", "state"])
    .where("referral_id", "in", referralIds)
    .where(wasAwaitedInVain)
    .orderBy("created_at")
    .execute();
  return rows.map(({ referral_id: referralId, file_name: fileName, refusal, state }) => ({
    referralId,
    fileName,
    refusal: refusal!,
    isPartlyReceived: state === "kept",
  }));
}

/** Awaited uploads with all bytes whose process died before finishing them. */
export async function findWholeAwaited(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("partial_upload as upload")
    .innerJoin("partial_upload_part as part", "part.upload_id", "upload.id")
    .select("upload.id")
    .where("upload.awaited_at", "is not", null)
    .where("upload.state", "=", "arriving")
    .groupBy(["upload.id", "upload.size_bytes"])
    .having((eb) => eb(eb.fn.sum<number>("part.size_bytes"), "=", eb.ref("upload.size_bytes")))
    .limit(limit)
    .execute();
  return idsOf(rows);
}

export const findLateAwaited = (db: DbOrTx, before: Date, limit: number) =>
  db
    .selectFrom("partial_upload")
    .select(["id", "referral_id as referralId", "file_name as fileName"])
    .where("awaited_at", "<", toMoment(before))
    .where("state", "=", "arriving")
    .orderBy("awaited_at")
    .limit(limit)
    .execute();

/** Moves a form's uploads, finished or not, to the referral the form became. */
export async function adoptUploads(
  tx: Tx,
  ownerId: number,
  formKey: string,
  referralId: ScopedReferralId,
): Promise<void> {
  await tx
    .updateTable("partial_upload")
    .set({ referral_id: referralId, form_key: null })
    .where("owner_id", "=", ownerId)
    .where("form_key", "=", formKey)
    .execute();
}
