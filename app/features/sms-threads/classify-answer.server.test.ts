import { isAlarming } from "~/features/urgent-alarm/alarm-words.server";
import { readFileSync } from "node:fs";
import { parse } from "csv-parse/sync";
import { describe, expect, test } from "vitest";
import {
  type AnswerSituation,
  defaultAnswerRules,
  isAcknowledgement,
  classifyAnswer,
  outcomeOf,
} from "./classify-answer.server";

const situations: Record<string, AnswerSituation> = {
  alene: { fits: "one", hasTimeAhead: true, isAlone: true },
  "ukendt nummer": { fits: "none", hasTimeAhead: false, isAlone: false },
  "to børn på samme nummer": { fits: "several", hasTimeAhead: true, isAlone: false },
  "to tider forude på samme nummer": { fits: "one", hasTimeAhead: true, isAlone: false },
  "nummeret er skiftet": { fits: "one", hasTimeAhead: true, isAlone: false },
  "tiden er gået": { fits: "one", hasTimeAhead: false, isAlone: true },
  "ingen tid": { fits: "one", hasTimeAhead: false, isAlone: true },
};
const results: Record<string, string> = {
  afbud: "cancelled",
  måske: "possibly",
  intet: "none",
  stop: "stop",
  "ikke placeret": "unplaced",
};

/** The answers documented in docs/: a row added there is tested here. */
const answers = parse(readFileSync("docs/rules/sms-answers.csv", "utf8"), {
  delimiter: ";",
  columns: true,
  quote: null,
  relax_column_count: true,
}) as Record<"Svar" | "Situation" | "Resultat", string>[];

describe("what patients answer", () => {
  test("the table holds more than 60 answers", () => {
    expect(answers.length).toBeGreaterThan(60);
  });

  test.each(answers.map(({ Svar, Situation, Resultat }) => [Svar, Situation, Resultat] as const))(
    "“%s” (%s) is %s",
    (text, situation, result) => {
      const known = situations[situation];
      expect(known, `an unknown situation: ${situation}`).toBeDefined();
      expect(results, `an unknown result: ${result}`).toHaveProperty(result);
      expect(outcomeOf(classifyAnswer(text), known!)).toBe(results[result]);
    },
  );

  test("the provider's keyword before an answer is no part of it", () => {
    const rules = { ...defaultAnswerRules, keyword: "kirurg" };
    expect(classifyAnswer("KIRURG afbud", rules)).toBe("cancelled");
    expect(classifyAnswer("Kirurg stop", rules)).toBe("stop");
    expect(classifyAnswer("kirurg", rules)).toBe("none");
  });

  test("the clinic's own words count instead", () => {
    const rules = { ...defaultAnswerRules, cancellationWords: ["framelding"] };
    expect(classifyAnswer("Framelding", rules)).toBe("cancelled");
    expect(classifyAnswer("Afbud", rules)).toBe("possibly");
  });

  test("a long answer is never a sure cancellation", () => {
    expect(classifyAnswer(`Afbud. ${"Det var så synd. ".repeat(15)}`)).toBe("possibly");
  });

  test.each([
    "Afbud. Jeg bløder meget",
    "Kan ikke synke",
    "svært ved at trække vejret",
    "Kinden er hævet",
    "Hævelse!",
    "39 i feber",
    "Jeg har allergi",
    "er gravid",
    "på blodfortyndende",
    "kørt på skadestuen",
    "han er død",
  ])("“%s” is read first, and settles nothing by itself", (text) => {
    expect(isAlarming(text)).toBe(true);
    expect(["cancelled", "stop"]).not.toContain(classifyAnswer(text));
    expect(isAcknowledgement(text)).toBe(false);
  });
  test.each(["Ok tak", "Afbud", "Jeg kommer i morgen", "Hvor ligger I", "Er der dødtid?"])(
    "“%s” names nothing clinical",
    (text) => {
      expect(isAlarming(text)).toBe(false);
    },
  );

  test.each(["Ok tak", "👍", "Jeg kommer", "Ja tak, vi ses i morgen!", "❤️"])("“%s” asks for nobody", (text) => {
    expect(isAcknowledgement(text)).toBe(true);
  });
  test.each(["Kommer jeg?", "Jeg kommer for sent", "Afbud", "👎", "ring til mig"])("“%s” is for somebody", (text) => {
    expect(isAcknowledgement(text)).toBe(false);
  });
});
