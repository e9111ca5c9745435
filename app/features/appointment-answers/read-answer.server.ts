import { z } from "zod";
import { read } from "~/access/operation.server";
import type { DbOrTx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { findReferral, type ReferralRow } from "~/features/referrals/details/messaged-referral.server";
import { operationMoment, partsOfMoment } from "~/features/referrals/model/operation-moment";
import { startOfMoment } from "~/features/referrals/model/operation-start.server";
import { calendarDaysBetween } from "~/text/copenhagen.server";
import { fromMoment, isoMoment } from "~/text/dates";
import { findAnswers } from "./answer-store.server";

export const readAnswer = read({
  name: "readAnswer",
  permission: "patientMessage.send",
  input: z.object({ referralId: z.coerce.number().int() }),
  run: async ({ db, actor, portal }, { referralId }) => ({
    answer: await answerTo(db, portal, await findReferral(db, actor, referralId)),
  }),
});

export async function answerTo(db: DbOrTx, portal: Pick<Portal, "secrets">, row: ReferralRow) {
  const moment = operationMoment(row);
  const at = row.cancellation_date ?? row.confirmed_at;
  if (moment === null || at === null) return null;
  const answers = await findAnswers(db, portal.secrets, [row.id]);
  const given = answers.findLast(({ operationMoment: of, isUndone }) => of === moment && !isUndone);
  return {
    isCancelled: row.cancellation_date !== null,
    at: isoMoment(at),
    /** Null for a patient who accepted an offered time. */
    source: given?.source ?? null,
    word: given?.word ?? null,
    daysBefore: calendarDaysBetween(fromMoment(at), startOfMoment(moment)),
    day: partsOfMoment(moment).day,
  };
}
