import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { type LinkedFile, linkedRadiographs } from "~/features/referrals/details/linked-radiographs.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { findLinkedLetter } from "./linked-letter-store.server";
import type { LinkedFilesOf } from "./patient-link-store.server";

/** The files that a link leads to, as they are now: the referral's images, those of one letter, or a letter and what went along with it. */
export async function filesOfLink(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  { purpose, letterNumber }: LinkedFilesOf,
): Promise<LinkedFile[]> {
  if (letterNumber === null) return purpose === "radiographLink" ? linkedRadiographs(db, secrets, row) : [];
  const letter = await findLinkedLetter(db, row.id, letterNumber);
  if (letter === undefined) return [];
  const pdf = purpose === "radiographLink" || letter.pdfFileId === null ? [] : [letter.pdfFileId];
  const files = await findStoredFiles(db, [...pdf, ...letter.imageFileIds]);
  return files.filter(({ scanState }) => scanState !== "infected");
}
