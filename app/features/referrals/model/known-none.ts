import { type FactName, type Facts, factNames, facts, type FactValues } from "./facts";

/** Facts that the form asks about with an answer of its own, because 'none' and 'not stated' differ. */
export type AskedFact = { [N in FactName]: Facts[N] extends { askedFor: string } ? N : never }[FactName];

export const isAsked = (name: FactName): name is AskedFact => "askedFor" in facts[name];

export const askedFacts = factNames.filter(isAsked);

/** The text of a fact that there is none of. */
export const NONE_KNOWN = "Ingen kendte";
/** Shown of a fact that nobody has said anything about; never stored. */
export const NOT_STATED = "Ikke oplyst";

/** Answers of the form beside the text. A text that is written without an answer counts as Ja. */
export const knownAnswers = [
  { value: "", label: NOT_STATED },
  { value: "none", label: NONE_KNOWN },
  { value: "yes", label: "Ja" },
] as const;
export type KnownAnswer = (typeof knownAnswers)[number]["value"];

type AnswerName<N extends AskedFact = AskedFact> = `${N}Answer`;
export const answerOf = <N extends AskedFact>(name: N): AnswerName<N> => `${name}Answer`;

/** A value for the answer of each asked fact, by the answer's name. */
export const eachAnswer = <V>(valueOf: (name: AskedFact) => V) =>
  Object.fromEntries(askedFacts.map((name) => [answerOf(name), valueOf(name)])) as Record<AnswerName, V>;

/** Answers and texts as a form's controls hold them: 'Ingen kendte' is an answer and no text. */
export const typedAnswers = (values: FactValues<AskedFact>): Record<AskedFact | AnswerName, string> => ({
  ...(Object.fromEntries(
    askedFacts.map((name) => [name, values[name] === NONE_KNOWN ? "" : (values[name] ?? "")]),
  ) as Record<AskedFact, string>),
  ...eachAnswer((name): KnownAnswer =>
    values[name] === NONE_KNOWN ? "none" : values[name] === null || values[name] === "" ? "" : "yes",
  ),
});

/** The words of the answers, for a person who reads that another has changed them. */
export const wordsOfAnswers = (values: FactValues<AskedFact>) => {
  const typed = typedAnswers(values);
  return eachAnswer((name) => knownAnswers.find(({ value }) => value === typed[answerOf(name)])!.label);
};

type Answered = Partial<Record<AskedFact, string | null> & Record<AnswerName, KnownAnswer>>;

/** The error of an answer that does not agree with its text; null where they agree. */
export function answerError(name: AskedFact, form: Answered): string | null {
  const [answer, text] = [form[answerOf(name)], form[name] ?? ""];
  if (answer === "yes" && text === "") return facts[name].askedFor;
  if (answer === "none" && text !== "" && text !== NONE_KNOWN) return `Slet teksten, eller vælg 'Ja'.`;
  return null;
}

/** The form with each answer put into its text. */
export function withAnswers<F extends Answered>(form: F): Omit<F, AnswerName> {
  const texts = askedFacts.map((name) => [name, form[answerOf(name)] === "none" ? NONE_KNOWN : form[name]]);
  const answers = new Set<string>(askedFacts.map(answerOf));
  const rest = Object.entries(form).filter(([name]) => !answers.has(name));
  return Object.fromEntries([...rest, ...texts]) as Omit<F, AnswerName>;
}
