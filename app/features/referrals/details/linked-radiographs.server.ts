import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import type { StoredFile } from "~/files/stored-file-store.server";
import { strangersIn } from "~/features/referrals/archive/plan-exports.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

export type LinkedFile = StoredFile & { storedFileId: number };

export const referralRadiographs = async (db: DbOrTx, row: ReferralRow): Promise<LinkedFile[]> =>
  (await findFiles(db, row.id)).filter((file) => file.kind === "radiograph");

export const mayBeGiven = (secrets: Secrets, row: ReferralRow) => (file: LinkedFile) =>
  file.scanState !== "infected" && strangersIn({ secrets }, row, file).length === 0;

export const linkedRadiographs = async (db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<LinkedFile[]> =>
  (await referralRadiographs(db, row)).filter(mayBeGiven(secrets, row));
