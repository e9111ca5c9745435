import type { ExpressionBuilder } from "kysely";
import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { ScopedReferralId } from "~/access/scope.server";
import { toMoment } from "~/text/dates";

export async function countArriving(db: DbOrTx, referralId: ScopedReferralId): Promise<number> {
  const { files } = await db
    .selectFrom("partialUpload")
    .select((eb) => eb.fn.countAll<number>().as("files"))
    .where("referralId", "=", referralId)
    .where("state", "=", "arriving")
    .executeTakeFirstOrThrow();
  return Number(files);
}

/** Marks a referral's unfinished uploads as awaited since a moment; null clears it. */
export async function markAwaited(tx: Tx, referralId: ScopedReferralId, since: Date | null): Promise<void> {
  await tx
    .updateTable("partialUpload")
    .set({ awaitedAt: since && toMoment(since) })
    .where("referralId", "=", referralId)
    .where("state", "=", "arriving")
    .where("awaitedAt", since ? "is" : "is not", null)
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
    .updateTable("partialUpload")
    .set({ state: "refused", refusal })
    .where("id", "=", id)
    .where("state", "=", "arriving")
    .execute();
}

export const wasAwaitedInVain = (eb: ExpressionBuilder<Database, "partialUpload">) =>
  eb.and([eb("partialUpload.refusal", "is not", null), eb("partialUpload.awaitedAt", "is not", null)]);

export async function findRefusedAwaited(
  db: DbOrTx,
  referralIds: readonly number[],
): Promise<(RefusedFile & { referralId: number })[]> {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("partialUpload")
    .select(["referralId", "fileName", "refusal", "state"])
    .where("referralId", "in", referralIds)
    .where(wasAwaitedInVain)
    .orderBy("createdAt")
    .execute();
  return rows.map(({ referralId, fileName, refusal, state }) => ({
    referralId,
    fileName,
    refusal: refusal!,
    isPartlyReceived: state === "kept",
  }));
}

/** Awaited uploads with all bytes whose process died before finishing them. */
export async function findWholeAwaited(db: DbOrTx, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("partialUpload as upload")
    .innerJoin("partialUploadPart as part", "part.uploadId", "upload.id")
    .select("upload.id")
    .where("upload.awaitedAt", "is not", null)
    .where("upload.state", "=", "arriving")
    .groupBy(["upload.id", "upload.sizeBytes"])
    .having((eb) => eb(eb.fn.sum<number>("part.sizeBytes"), "=", eb.ref("upload.sizeBytes")))
    .limit(limit)
    .execute();
  return idsOf(rows);
}

export const findLateAwaited = (db: DbOrTx, before: Date, limit: number) =>
  db
    .selectFrom("partialUpload")
    .select(["id", "referralId as referralId", "fileName as fileName"])
    .where("awaitedAt", "<", toMoment(before))
    .where("state", "=", "arriving")
    .orderBy("awaitedAt")
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
    .updateTable("partialUpload")
    .set({ referralId, formKey: null })
    .where("ownerId", "=", ownerId)
    .where("formKey", "=", formKey)
    .execute();
}
