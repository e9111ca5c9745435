import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import type { StoredFile } from "~/files/stored-file-store.server";
import { strangersIn } from "~/features/referrals/archive/file-owner.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

export { findLetterImageIds } from "~/features/referrals/store/referral-file-store.server";

/** A file that may be fetched by a link; the id tells it from the other files of the same link. */
export type LinkedFile = StoredFile & { storedFileId: number };

export const referralRadiographs = async (db: DbOrTx, row: ReferralRow): Promise<LinkedFile[]> =>
  (await findFiles(db, row.id)).filter((file) => file.kind === "radiograph");

/**
 * Whether a file may be given away as this patient's: nothing was found by the virus scanner, and it names no other patient, unless somebody has
 * said that it is this one's.
 */
export const mayBeGiven = (secrets: Secrets, row: ReferralRow) => (file: LinkedFile) =>
  file.scanState !== "infected" && strangersIn({ secrets }, row, file).length === 0;

/** The radiographs of a referral that may be given away. */
export const linkedRadiographs = async (db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<LinkedFile[]> =>
  (await referralRadiographs(db, row)).filter(mayBeGiven(secrets, row));
