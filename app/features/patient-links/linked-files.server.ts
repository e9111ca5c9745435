import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import {
  type LinkedFile,
  linkedLetterFiles,
  linkedRadiographs,
} from "~/features/referrals/details/linked-files.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import type { LinkedFilesOf } from "./patient-link-store.server";

/** The files that a link leads to, as they are now. */
export async function filesOfLink(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  { purpose, letterNumber }: LinkedFilesOf,
): Promise<LinkedFile[]> {
  if (purpose === "radiographLink") return linkedRadiographs(db, secrets, row, letterNumber);
  return letterNumber === null ? [] : linkedLetterFiles(db, row, letterNumber);
}
