import type { DbOrTx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";

/** Files of a letter that is not deleted: PDF first, then images. */
export async function findLinkedLetter(db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) {
  const letter = await db
    .selectFrom("discharge_letter")
    .select(["id", "diagnosis_file_id"])
    .where("referral_id", "=", referralId)
    .where("letter_number", "=", letterNumber)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  if (letter === undefined) return undefined;
  const images = await db
    .selectFrom("discharge_letter_image")
    .select("stored_file_id")
    .where("discharge_letter_id", "=", letter.id)
    .orderBy("id")
    .execute();
  return { pdfFileId: letter.diagnosis_file_id, imageFileIds: images.map((image) => image.stored_file_id) };
}
