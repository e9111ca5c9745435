import type { DbOrTx } from "~db/connection.server";
import { readSettings } from "~/features/settings/read-setting.server";
import { type AnswerRules, defaultCancellationWords } from "./classify-answer.server";
import { composed } from "~/text/normalise";

export const answerSettings = ["smsCancellationWords", "smsKeyword"] as const;

/** Splits a setting at commas and spaces. */
export const wordsIn = (text: string) => [
  ...new Set(
    composed(text)
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== ""),
  ),
];

/** Rules for reading answers: the clinic's, or the portal's defaults. */
export async function readAnswerRules(db: DbOrTx): Promise<AnswerRules> {
  const { smsCancellationWords, smsKeyword } = await readSettings(db, answerSettings);
  const words = wordsIn(smsCancellationWords);
  return { cancellationWords: words.length > 0 ? words : defaultCancellationWords, keyword: smsKeyword.trim() };
}
