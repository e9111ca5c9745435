import type { DbOrTx } from "~db/connection.server";
import type { Secrets } from "~/access/secrets.server";
import { strangersIn } from "~/features/referrals/archive/file-owner.server";
import type { Difference } from "~/features/referrals/archive/image-identity";
import {
  findLetterImageIds,
  type LinkedFile,
  mayBeGiven,
  referralRadiographs,
} from "~/features/referrals/details/linked-radiographs.server";
import type { ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { findLinkedLetter } from "./linked-letter-store.server";
import type { LinkedFilesOf } from "./patient-link-store.server";

/**
 * The files that a link leads to, as they are now: the referral's images, those of one letter, or a letter and what went along with it. Left out
 * are files that the virus scanner found something in, and those that name another patient, unless somebody has said that they are this one's.
 */
export async function filesOfLink(
  db: DbOrTx,
  secrets: Secrets,
  row: ReferralRow,
  about: LinkedFilesOf,
): Promise<LinkedFile[]> {
  return (await allFiles(db, row, about)).filter(mayBeGiven(secrets, row));
}

/** What is said of a link that lacks files because they name another patient; empty where it lacks none. */
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

/** A file that no link gives the patient, because it names another. */
export interface StrangersFile {
  storedFileId: number;
  fileName: string;
  differences: Difference[];
}

/** Those of a referral, and of its letters. */
export async function findStrangersFiles(db: DbOrTx, secrets: Secrets, row: ReferralRow): Promise<StrangersFile[]> {
  const files = [...(await referralRadiographs(db, row)), ...(await stored(db, await findLetterImageIds(db, row.id)))];
  return files.flatMap((file) => {
    const differences = strangersIn({ secrets }, row, file);
    const { storedFileId, fileName } = file;
    return differences.length === 0 ? [] : [{ storedFileId, fileName, differences }];
  });
}
