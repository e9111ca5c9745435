import { z } from "zod";
import { type ChangeContext, wholeNumber, succeeded } from "~/access/operation.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findLetter, type LetterRow, noSuchLetter } from "./store.server";

export const oneLetter = z.object({
  referralId: wholeNumber.positive(),
  letterNumber: wholeNumber.positive().max(999),
});

/** A letter and its referral, locked until the transaction ends. Throws `notInScope` if unknown. */
export async function openLetter(
  { tx, actor }: Pick<ChangeContext, "tx" | "actor">,
  referralId: number,
  letterNumber: number,
): Promise<{ row: ReferralRow; letter: LetterRow }> {
  const row = await lockReferral(tx, actor, referralId);
  const letter = await findLetter(tx, row.id, letterNumber);
  if (letter === undefined) throw noSuchLetter();
  return { row, letter };
}

export const letterFormId = (referralId: number) => `letters-${referralId}`;

export const letterChanged = (referralId: number, text: string) =>
  succeeded(text, { formId: letterFormId(referralId) });
