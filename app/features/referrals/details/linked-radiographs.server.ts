import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import type { StoredFile } from "~/files/stored-file-store.server";
import { findFiles, type ReferralFile } from "~/features/referrals/store/referral-file-store.server";
import { strangersIn } from "~/features/referrals/archive/plan-exports.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";

export type LinkedFile = StoredFile & { storedFileId: number };

export const referralRadiographs = async (db: DbOrTx, row: ReferralRow): Promise<LinkedFile[]> =>
  radiographsAmong(await findFiles(db, row.id));

export const radiographsAmong = (files: readonly ReferralFile[]): LinkedFile[] =>
  files.filter((file) => file.kind === "radiograph");

export const mayBeGiven = (secrets: Secrets, row: ReferralRow) => (file: LinkedFile) =>
  file.scanState !== "infected" && strangersIn({ secrets }, row, file).length === 0;

export const linkedRadiographs = async (db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<LinkedFile[]> =>
  (await referralRadiographs(db, row)).filter(mayBeGiven(secrets, row));
