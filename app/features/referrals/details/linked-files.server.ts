import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { isOfAnotherPatient } from "~/features/referrals/images/radiographs-part.server";
import { findDischargeLetter, findLetterFile } from "~/features/referrals/store/discharge-letter-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** A file that a patient may fetch by a link. */
export interface LinkedFile {
  /** Tells it from the other files of the same link. */
  id: number;
  fileName: string;
  mime: string;
  sizeBytes: number;
  sha256: string;
  storageKey: string;
}

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
  const files: LinkedFile[] = [];
  for (const id of ids) {
    const file = id === null ? undefined : await findLetterFile(db, id);
    if (id !== null && file && file.scan_state !== "infected")
      files.push({
        id,
        fileName: file.file_name,
        mime: file.mime,
        sizeBytes: Number(file.size_bytes),
        sha256: file.sha256,
        storageKey: file.storage_key,
      });
  }
  return files;
}
