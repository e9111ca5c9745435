import { z } from "zod";
import { change, read } from "~/access/operation.server";
import { changeSettings } from "~/features/settings/change-settings.server";
import { readSettings } from "~/features/settings/read-setting.server";
import { text } from "~/text/fields.server";
import { answerSettings, wordsIn } from "./answer-settings.server";
import { defaultCancellationWords } from "./classify-answer.server";

const WORD = /^\p{L}{3,30}$/u;
const MAX_WORDS = 20;

/** Cancellation words and keyword of SMS answers. */
export const readAnswerSettings = read({
  name: "readAnswerSettings",
  permission: "settings.manage",
  input: z.object({}),
  run: async ({ db }) => ({
    settings: await readSettings(db, answerSettings),
    standardWords: defaultCancellationWords.join(", "),
  }),
});

/** Saves them for future answers. */
export const saveAnswerSettings = change({
  name: "saveAnswerSettings",
  permission: "settings.manage",
  input: z.object({
    smsCancellationWords: text(500)
      .transform((typed) => wordsIn(typed))
      .refine(
        (words) => words.length <= MAX_WORDS && words.every((word) => WORD.test(word)),
        `Skriv højst ${MAX_WORDS} ord med mindst tre bogstaver, adskilt af komma.`,
      )
      .refine((words) => !words.includes("stop") && !words.includes("ikke"), "STOP og ikke kan ikke være afbudsord.")
      .transform((words) => words.join(", "))
      .default(""),
    smsKeyword: text(30)
      .refine((typed) => !/\s/.test(typed.trim()), "Skriv ét ord.")
      .default(""),
  }),
  async run(context, settings) {
    await changeSettings(context, settings);
    context.auditChange([], "how SMS from patients are read");
    return {
      flash: { tone: "success" as const, formId: "saveAnswerSettings", text: "Indstillingerne er gemt." },
    };
  },
});
