import type { CaveMark } from "./cave";
import { medicineFinder, type MedicineFinder, medicinesIn } from "./critical-medicines";

/** Characters that are searched: more than all texts of a form, and a bound for letters by EDI. */
const SEARCHED = 50_000;
const MAX_MENTIONS = 30;
const MAX_SHOWN = 60;

/**
 * Names the allergies and the medicines of the clinic's list that texts mention, in their own words and order, each once.
 * It leaves out what the text denies and what a CAVE mark already shows (docs/rules/cave.md).
 */
export function mentionsIn(
  texts: readonly (string | null)[],
  medicines: readonly string[],
  marks: readonly CaveMark[],
): string[] {
  const find = medicineFinder(medicines);
  const text = texts
    .flatMap((each) => each ?? [])
    .join("\n")
    .slice(0, SEARCHED);
  const words = wordsOf(text, find);
  const marked = new Set(marks.flatMap((mark) => medicinesIn(mark.text, find)));
  const allergies = marks.filter(({ kind }) => kind === "allergy").map((mark) => mark.text.toLowerCase());
  const shown = new Map<string, string>();
  words.forEach((word, index) => {
    const isMedicine = word.medicine !== undefined;
    const mention = isMedicine ? medicineAt(word) : allergyAt(text, words, index);
    if (mention === null || shown.has(mention.key) || isAnsweredNo(text, word)) return;
    if (isDenied(words, index, { isBare: mention.key === ALLERGY })) return;
    const isMarked = isMedicine ? marked.has(mention.key) : isAllergyMarked(mention, allergies);
    if (!isMarked) shown.set(mention.key, mention.text);
  });
  return [...shown.values()].slice(0, MAX_MENTIONS).map((each) => each.slice(0, MAX_SHOWN));
}

interface Word {
  text: string;
  lower: string;
  end: number;
  /** What is between this word and the one before it. */
  gap: string;
  /** Word of the list. */
  medicine: string | undefined;
}

function wordsOf(text: string, find: MedicineFinder): Word[] {
  let before = 0;
  return [...text.matchAll(/\p{L}+|\d+/gu)].map(({ 0: word, index }) => {
    const gap = text.slice(before, index);
    before = index + word.length;
    return { text: word, lower: word.toLowerCase(), end: before, gap, medicine: find(word) };
  });
}

interface Mention {
  /** Mentions of one key are one. */
  key: string;
  text: string;
  /** What an allergy is against; undefined where the text does not say it. */
  substance?: string;
}

const ALLERGY = "allergi";

const medicineAt = ({ text, medicine }: Word): Mention => ({ key: medicine!, text });

/** 'Allergisk over for Magnyl' is another mention than 'Magnyl'. */
const allergyTo = (substance: string, text: string): Mention => ({ key: `${ALLERGY} ${substance}`, text, substance });

/** 'Allergifri' and 'allergivenlig' say something of a thing, not of the patient. */
const OF_A_THING = /(?:fri|frie|frit|venlig|venlige|venligt)$/;
/** What follows 'allergi', 'allergisk reaktion' or 'anafylaksi' and names the substance. */
const SUBSTANCE =
  /^(?: reaktion| reaktioner)?(?: over ?for| mod| for| på| af| efter|:) (?!(?:ingen|nej|intet|ikke|ukendt)(?!\p{L}))(\p{L}{3,40})(?!\p{L})/iu;
const NEAR = 80;

/** 'Penicillinallergi' and 'allergisk over for penicillin' with their substance, or the word alone. */
function allergyAt(text: string, words: readonly Word[], index: number): Mention | null {
  const { text: word, lower, end, gap } = words[index]!;
  const at = lower.indexOf(ALLERGY);
  if ((at < 0 && !/^ana(?:f|ph)yla/.test(lower)) || OF_A_THING.test(lower)) return null;
  if (at > 0) return allergyTo(lower.slice(0, at), word);
  const [phrase, substance] = SUBSTANCE.exec(text.slice(end, end + NEAR)) ?? [];
  if (phrase !== undefined) return allergyTo(substance!.toLowerCase(), word + phrase);
  const before = words[index - 1];
  if (gap === "-" && before) return allergyTo(before.lower, `${before.text}-${word}`);
  return { key: ALLERGY, text: word };
}

/** A bare 'allergi' adds nothing to a mark that names one; a substance is marked where a word of a mark begins with it. */
const isAllergyMarked = ({ substance }: Mention, allergies: readonly string[]) =>
  allergies.some(
    (text) => substance === undefined || [...text.matchAll(/\p{L}+/gu)].some(([word]) => word.startsWith(substance)),
  );

const NEGATIONS = new Set(["ingen", "ikke", "nægter", "benægter", "ej"]);
const REACH = 3;
/** A new sentence, line, label or aside begins. */
const BREAK = /[.;:!?\n(]| [-–—] /;
/** Words that do not count: the denial of an enumeration reaches to its end. */
const JOINING = new Set(["og", "eller"]);
const TURNS = new Set(["men", "dog"]);
/** 'Ikke kun Magnyl' and 'må ikke pausere Eliquis' say that the patient takes it. */
const LIFTS = /^(?:kun|blot|alene|paus|sepon|stop|ophør|trapp)/;
const CANNOT_TAKE = /^tål/;

/**
 * Whether one of the three words before it denies a word. 'Ingen allergi, får Eliquis' denies no Eliquis: behind a comma or
 * 'og' a denial reaches only over other words of the list, but always to a bare 'allergier'.
 */
function isDenied(words: readonly Word[], index: number, { isBare }: { isBare: boolean }): boolean {
  let isJoined = false;
  let reach = REACH;
  for (let at = index - 1; at >= 0 && reach > 0; at--) {
    const { gap } = words[at + 1]!;
    const { lower, medicine } = words[at]!;
    if (BREAK.test(gap) || TURNS.has(lower) || LIFTS.test(lower)) return false;
    if (NEGATIONS.has(lower)) return !gap.includes(",") && !CANNOT_TAKE.test(words[at - 1]?.lower ?? "");
    isJoined ||= gap.includes(",") || lower === "og";
    if (JOINING.has(lower)) continue;
    if (isJoined && !isBare && medicine === undefined) return false;
    reach--;
  }
  return false;
}

/** 'Blodfortyndende medicin: nej', 'Allergier: ingen kendte'. */
const NO =
  /^(?: \p{L}{1,40})? {0,3}(?:[:?=–-] {0,3})?(?:ingen|nej|intet|nul|0|÷)(?: kendte?)?(?= {0,3}(?:[.;)\n/]|,(?! men| dog| kun)|\p{L}{1,30}:|$))/iu;

const isAnsweredNo = (text: string, { end }: Word) => NO.test(text.slice(end, end + NEAR));
