import { z } from "zod";
import { type ChangeContext, wholeNumber, succeeded } from "~/access/operation.server";
import { type Edit, rowIdIn } from "~/access/edit.server";
import type { DbOrTx } from "~db/connection.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findLetter, findLetterImages, type LetterImage, type LetterRow, noSuchLetter } from "./store.server";

export const oneLetter = z.object({
  referralId: wholeNumber.positive(),
  letterNumber: wholeNumber.positive().max(999),
});

/** A letter and its referral, locked until the transaction ends. Throws `notInScope` if unknown. */
export async function openLetter(
  { tx, actor }: Pick<ChangeContext, "actor"> & { tx: DbOrTx },
  referralId: number,
  letterNumber: number,
): Promise<{ row: ReferralRow; letter: LetterRow }> {
  const row = await lockReferral(tx, actor, referralId);
  const letter = await findLetter(tx, row.id, letterNumber);
  if (letter === undefined) throw noSuchLetter();
  return { row, letter };
}

/** The files of a letter, which its forms send, replace and delete. */
export const letterFiles = (
  letter: Pick<LetterRow, "diagnosisFileId"> | undefined,
  images: readonly LetterImage[],
) => ({
  pdf: String(letter?.diagnosisFileId ?? ""),
  images: images.map(({ storedFileId }) => storedFileId).join(" "),
});

/** A letter's files are not sent, replaced or deleted unseen. */
export const seesLetter: Edit = {
  read: async () => ({ values: {} }),
  sees: {
    async read({ db, actor }, field) {
      const { id } = await lockReferral(db, actor, rowIdIn(field("referralId")));
      const letter = await findLetter(db, id, rowIdIn(field("letterNumber")));
      return letterFiles(letter, await findLetterImages(db, letter ? [letter.id] : []));
    },
    async movedText({ db, actor }, field, moved) {
      const { id } = await findReferral(db, actor, rowIdIn(field("referralId")));
      const number = rowIdIn(field("letterNumber"));
      const name = (await findLetter(db, id, number))?.diagnosisFileName;
      const news = moved.includes("pdf")
        ? `PDF-filen til udskrivningsbrev ${number} er nu ${name ?? "fjernet"}.`
        : `Røntgenbillederne til udskrivningsbrev ${number} er skiftet.`;
      return `${news} Se brevet, før du trykker igen.`;
    },
  },
};

export const letterFormId = (referralId: number) => `letters-${referralId}`;

export const letterChanged = (referralId: number, text: string) =>
  succeeded(text, { formId: letterFormId(referralId) });
