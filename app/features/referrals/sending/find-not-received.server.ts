import type { DbOrTx } from "~db/connection.server";
import { findRefusedAwaited, type RefusedFile } from "~/files/staging/awaited-upload-store.server";
import { findFileNames } from "~/features/referrals/store/referral-file-store.server";

/** Files missing since sending, by referral, unless one of that name arrived; complete referrals are left out. */
export async function findNotReceived(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, RefusedFile[]>> {
  const refused = await findRefusedAwaited(db, referralIds);
  const names = await findFileNames(db, [...new Set(refused.map(({ referralId }) => referralId))]);
  const isThere = ({ referralId, fileName }: (typeof refused)[number]) =>
    names.some((file) => file.referralId === referralId && file.fileName.toLowerCase() === fileName.toLowerCase());
  const missing = new Map<number, RefusedFile[]>();
  for (const { referralId, ...file } of refused.filter((each) => !isThere(each)))
    missing.set(referralId, [...(missing.get(referralId) ?? []), file]);
  return missing;
}
