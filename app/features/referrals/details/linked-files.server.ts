import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { findStoredFiles, type StoredFile } from "~/files/stored-file-store.server";
import { isOfAnotherPatient } from "~/features/referrals/images/radiographs-part.server";
import { findDischargeLetter } from "~/features/referrals/store/discharge-letter-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** A file that a patient may fetch by a link; the id tells it from the other files of the same link. */
export type LinkedFile = Omit<StoredFile, "scanState">;

/**
 * The radiographs that the patient of a referral may have: all of the referral's, or those of one letter. Left out are files that the
 * virus scanner found something in, and DICOM files that name another CPR number: they may be somebody else's.
 */
export async function linkedRadiographs(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  letterNumber: number | null,
): Promise<LinkedFile[]> {
  if (letterNumber !== null) {
    const letter = await findDischargeLetter(db, row.id, letterNumber);
    return filesOf(db, letter?.imageFileIds ?? []);
  }
  const isOfAnother = isOfAnotherPatient(secrets, row);
  return (await findFiles(db, row.id)).filter(
    (file) => file.kind === "radiograph" && file.scanState !== "infected" && !isOfAnother(file),
  );
}

/** A discharge letter and what went along with it. */
export async function linkedLetterFiles(db: DbOrTx, row: ReferralRow, letterNumber: number): Promise<LinkedFile[]> {
  const letter = await findDischargeLetter(db, row.id, letterNumber);
  return filesOf(db, letter ? [letter.pdfFileId, ...letter.imageFileIds] : []);
}

async function filesOf(db: DbOrTx, ids: (number | null)[]): Promise<LinkedFile[]> {
  const files = await findStoredFiles(
    db,
    ids.filter((id) => id !== null),
  );
  return files.filter(({ scanState }) => scanState !== "infected");
}
