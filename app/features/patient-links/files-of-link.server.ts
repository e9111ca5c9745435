import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { strangersIn } from "~/features/referrals/archive/plan-exports.server";
import type { Difference } from "~/features/referrals/archive/image-identity";
import {
  type LinkedFile,
  mayBeGiven,
  referralRadiographs,
} from "~/features/referrals/details/linked-radiographs.server";
import { findLetterImageIds } from "~/features/referrals/store/referral-file-store.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { findLinkedLetter, type LinkedFilesOf } from "./store.server";

/**
 * The present files of a link: the referral's images, a letter's images, or a letter with its images. Leaves out
 * infected files and those that name another patient, unless a person confirmed them.
 */
export async function filesOfLink(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  about: LinkedFilesOf,
): Promise<LinkedFile[]> {
  return (await allFiles(db, row, about)).filter(mayBeGiven(secrets, row));
}

/** Notice that a link lacks files naming another patient; empty if none. */
export async function leftOutText(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  about: LinkedFilesOf,
): Promise<string> {
  const files = (await allFiles(db, row, about)).filter((file) => strangersIn({ secrets }, row, file).length > 0);
  if (files.length === 0) return "";
  const names = files.map(({ fileName }) => fileName).join(", ");
  return ` Ikke med, fordi ${files.length === 1 ? "filen" : "filerne"} nævner en anden patient: ${names}.`;
}

async function allFiles(db: DbOrTx, row: ReferralRow, { purpose, letterNumber }: LinkedFilesOf): Promise<LinkedFile[]> {
  if (letterNumber === null) return purpose === "radiographLink" ? referralRadiographs(db, row) : [];
  const letter = await findLinkedLetter(db, row.id, letterNumber);
  if (letter === undefined) return [];
  const pdf = purpose === "radiographLink" || letter.pdfFileId === null ? [] : [letter.pdfFileId];
  return stored(db, [...pdf, ...letter.imageFileIds]);
}

const stored = async (db: DbOrTx, ids: readonly number[]): Promise<LinkedFile[]> =>
  (await findStoredFiles(db, ids)).map((file) => ({ ...file, storedFileId: file.id }));

export interface StrangersFile {
  storedFileId: number;
  fileName: string;
  differences: Difference[];
}

/** Withheld files of a referral with these radiographs, and of its letters. */
export async function findStrangersFiles(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  radiographs: readonly LinkedFile[],
): Promise<StrangersFile[]> {
  const files = [...radiographs, ...(await stored(db, await findLetterImageIds(db, row.id)))];
  return files.flatMap((file) => {
    const differences = strangersIn({ secrets }, row, file);
    const { storedFileId, fileName } = file;
    return differences.length === 0 ? [] : [{ storedFileId, fileName, differences }];
  });
}
