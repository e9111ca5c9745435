import type { DbOrTx } from "~db/connection.server";
import { readSettings } from "~/features/settings/read-setting.server";
import { type AnswerRules, defaultCancellationWords } from "./classify-answer.server";
import { composed } from "~/text/normalise";

export const answerSettings = ["smsCancellationWords", "smsKeyword"] as const;

/** The words of a setting, parted by commas or spaces. */
export const wordsIn = (text: string) => [
  ...new Set(
    composed(text)
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== ""),
  ),
];

/** How answers are read: as the clinic has set it, until then by the portal's own words. */
export async function readAnswerRules(db: DbOrTx): Promise<AnswerRules> {
  const { smsCancellationWords, smsKeyword } = await readSettings(db, answerSettings);
  const words = wordsIn(smsCancellationWords);
  return { cancellationWords: words.length > 0 ? words : defaultCancellationWords, keyword: smsKeyword.trim() };
}
