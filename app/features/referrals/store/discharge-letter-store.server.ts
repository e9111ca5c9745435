import type { DbOrTx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";

/** The files of a discharge letter that is not deleted. */
export function findDischargeLetter(db: DbOrTx, referralId: ScopedReferralId, letterNumber: number) {
  return db
    .selectFrom("discharge_letter")
    .select(["diagnosis_file_id", "radiograph_file_id"])
    .where("referral_id", "=", referralId)
    .where("letter_number", "=", letterNumber)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
}

/** A letter's file, and what the virus scan said of it. */
export function findLetterFile(db: DbOrTx, id: number) {
  return db
    .selectFrom("stored_file")
    .select(["file_name", "mime", "storage_key", "size_bytes", "sha256", "scan_state"])
    .where("id", "=", id)
    .executeTakeFirst();
}
