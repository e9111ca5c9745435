import { plain, says, spacedOf } from "~/text/phrases.server";

/**
 * Meaning of a patient's SMS. `cancelled` only if it cannot mean anything else, since the time is then offered to
 * others. Possible cancellations are `possibly` and read by a person.
 */
export type Judgement = "cancelled" | "possibly" | "none" | "stop";

/** Whether a person must say if it is a cancellation. */
export const isAskedAbout = (judgement: string): boolean => judgement === "cancelled" || judgement === "possibly";

export const defaultCancellationWords: readonly string[] = ["afbud", "aflys", "aflyse", "aflyst"];

export interface AnswerRules {
  cancellationWords: readonly string[];
  /** Keyword the provider requires before answers to a shared number; empty without one. */
  keyword: string;
}

export const defaultAnswerRules: AnswerRules = { cancellationWords: defaultCancellationWords, keyword: "" };

const MAX_SURE_LENGTH = 200;

const wordsOf = (text: string) => text.match(/[\p{L}\p{M}\d]+/gu) ?? [];

export function withoutKeyword(text: string, keyword: string): string {
  const trimmed = text.trim();
  const [first, ...rest] = trimmed.split(/\s+/);
  return keyword !== "" && first?.toLowerCase() === keyword.toLowerCase() && rest.length > 0
    ? trimmed.slice(first.length).trim()
    : trimmed;
}

export function classifyAnswer(
  text: string,
  { cancellationWords, keyword }: AnswerRules = defaultAnswerRules,
): Judgement {
  const written = withoutKeyword(plain(text), keyword);
  const answer = written.toLowerCase();
  const words = wordsOf(answer);
  if (words.length === 1 && words[0] === "stop") return "stop";
  const at = words.findIndex((word) => cancellationWords.includes(word));
  if (at === -1) return mayMeanCancelled(answer, words, cancellationWords) ? "possibly" : "none";
  const isSure =
    answer.length <= MAX_SURE_LENGTH && !isDoubtful(answer, words, at) && saysNothingElse(written, cancellationWords);
  return isSure ? "cancelled" : "possibly";
}

const NEGATIONS = ["ikke", "ik", "ej", "aldrig", "ingen", "intet", "uden", "nej"];

/** 'Cannot come' confirms a cancellation: 'Afbud, jeg kan desværre ikke komme'. */
const CANNOT_COME =
  /(?: jeg| vi)? (?:kan|kunne|kommer|når|har)(?: [\p{L}\p{M}]+){0,3} ikke(?= )(?: komme| nå| deltage| være| mulighed)?| ikke (?:komme|nå|deltage|mulighed)(?= )/gu;

/** The cancellation is questioned, reverted, another's, or one of several. */
const DOUBTS =
  "?|hvis|såfremt|medmindre|måske|hvordan|hvornår|alligevel|men|eller|kommer|glem|ignorer|se bort|tilbage|fejl*|fortryd*|fortrød|annull*|flyt*|ændr*|udsæt*|udskyd*|forkert|misforst*|i har|har i|i aflys*|skal jeg|kan jeg|må jeg|vil i|er den|er min tid|er tiden|er der".split(
    "|",
  );

function isDoubtful(answer: string, words: string[], at: number): boolean {
  if (words.slice(0, at).some((word) => NEGATIONS.includes(word))) return true;
  const rest = spacedOf(answer).replace(CANNOT_COME, " ");
  return [...NEGATIONS, ...DOUBTS].some((doubt) => says(rest, doubt));
}

/** Words beside the cancellation that change nothing about it. Any other word leaves the answer to a person. */
const HARMLESS = new Set(
  (
    "hej hejsa goddag godmorgen kære jeg vi er blev blevet bliver har må vil kan gerne ønsker at melder melde hermed " +
    "desværre beklager undskyld sorry tak på forhånd min mit vores tid tiden aftale aftalen tandlægetid " +
    "til den d kl klokken i dag idag morgen imorgen overmorgen aften formiddag eftermiddag " +
    "mandag tirsdag onsdag torsdag fredag lørdag søndag " +
    "januar februar marts april maj juni juli august september oktober november december jan feb mar apr jun jul aug sep okt nov dec " +
    "pga på grund af sygdom syg forkølet forkølelse influenza corona covid " +
    "få have en ny anden senere snart om mig og med venlig venlige hilsen mvh vh"
  ).split(" "),
);
const CLOSINGS = ["mvh", "vh", "hilsen"];
const MAX_NAMES = 3;

/** Whether only harmless words and times accompany the cancellation, and a name below a closing. */
function saysNothingElse(text: string, cancellationWords: readonly string[]): boolean {
  const words = wordsOf(spacedOf(withoutName(text).toLowerCase()).replace(CANNOT_COME, " "));
  return words.every((word) => HARMLESS.has(word) || cancellationWords.includes(word) || /^\d{1,4}$/.test(word));
}

/** The text without up to three capitalised words after its last closing. */
function withoutName(text: string): string {
  const words = wordsOf(text);
  const closing = words.findLastIndex((word) => CLOSINGS.includes(word.toLowerCase()));
  const names = closing === -1 ? [] : words.slice(closing + 1);
  const isName = names.length <= MAX_NAMES && names.every((word) => /^\p{Lu}/u.test(word));
  return isName && names.length > 0 ? words.slice(0, closing + 1).join(" ") : text;
}

const HINTS =
  "aflys*|afbud*|afmeld*|annull*|cancel*|forhindre*|udsæt*|udskyd*|udskud*|ombook*|flyt*|ændr*|ny tid|nyt tidspunkt|anden tid|andet tidspunkt|anden dag|senere tid|melder fra|melde fra|springer over|springe over|dropper|syg|feber|corona|covid|indlagt|forsovet|glemt|ikke komme|ik komme|ikke nå|ikke deltage".split(
    "|",
  );
const NOT_COMING =
  / (?:kan|kunne|kommer|når|vil|tør|passer|orker|magter)(?: [\p{L}\p{M}]+){0,4} (?:ikke|ik|alligevel ikke) /u;
const SICK_OR_NO = /👎|❌|🚫|🤒|🤧|😷|🤢|🤮/u;

function mayMeanCancelled(answer: string, words: string[], cancellationWords: readonly string[]): boolean {
  const spaced = spacedOf(answer);
  return (
    words[0] === "nej" ||
    SICK_OR_NO.test(answer) ||
    NOT_COMING.test(spaced) ||
    HINTS.some((hint) => says(spaced, hint)) ||
    words.some((word) => cancellationWords.some((wanted) => isMisspelled(word, wanted)))
  );
}

/** One letter added, missing, different, or two swapped; only in words long enough not to be another word. */
function isMisspelled(word: string, wanted: string): boolean {
  if (wanted.length < 5 || Math.abs(word.length - wanted.length) > 1) return false;
  let start = 0;
  while (start < wanted.length && word[start] === wanted[start]) start++;
  let end = 0;
  while (end < Math.min(word.length, wanted.length) - start && word.at(-1 - end) === wanted.at(-1 - end)) end++;
  const [leftOf, rightOf] = [word.slice(start, word.length - end), wanted.slice(start, wanted.length - end)];
  const haveSwapped = leftOf.length === 2 && leftOf[0] === rightOf[1] && leftOf[1] === rightOf[0];
  return haveSwapped || (leftOf.length <= 1 && rightOf.length <= 1);
}

const THANKS = new Set(
  "ok okay okey oki tak mange ja jo jep jeps yes fint super godt perfekt dejligt jeg vi kommer ses det er gør bekræfter bekræftet modtaget noteret hej mvh vh på forhånd selv og i morgen så".split(
    " ",
  ),
);

/** 'Ok tak', 'Jeg kommer', a thumb: nobody needs to read it. */
export function isAcknowledgement(text: string, { keyword }: AnswerRules = defaultAnswerRules): boolean {
  const answer = withoutKeyword(plain(text), keyword).toLowerCase();
  if (answer.includes("?")) return false;
  const words = wordsOf(answer);
  return words.length === 0 ? /^[\s👍👌🙏😊🙂😀❤✅!.]+$/u.test(answer) : words.every((word) => THANKS.has(word));
}

export interface AnswerSituation {
  fits: "none" | "one" | "several";
  hasTimeAhead: boolean;
  /** The number is the referral's present one, and got no messages about another future time. */
  isAlone: boolean;
}

/**
 * Decides what is done with an answer; `unplaced` if its referral is unknown. A time is given up only when everything
 * is certain.
 */
export function outcomeOf(judgement: Judgement, { fits, hasTimeAhead, isAlone }: AnswerSituation) {
  if (judgement === "stop") return "stop";
  if (fits !== "one") return "unplaced";
  return judgement === "cancelled" && !(hasTimeAhead && isAlone) ? "possibly" : judgement;
}
