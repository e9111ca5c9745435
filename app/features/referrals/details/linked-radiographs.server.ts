import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import type { StoredFile } from "~/files/stored-file-store.server";
import { isOfAnotherPatient } from "~/features/referrals/images/radiographs-part.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

/** A file that a patient may fetch by a link; the id tells it from the other files of the same link. */
export type LinkedFile = Omit<StoredFile, "scanState">;

/**
 * The radiographs that the patient of a referral may have. Left out are files that the virus scanner found something in, and DICOM files
 * that name another CPR number: they may be somebody else's.
 */
export async function linkedRadiographs(db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<LinkedFile[]> {
  const isOfAnother = isOfAnotherPatient(secrets, row);
  return (await findFiles(db, row.id)).filter(
    (file) => file.kind === "radiograph" && file.scanState !== "infected" && !isOfAnother(file),
  );
}
