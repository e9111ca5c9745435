/**
 * Teeth by the two digits of FDI (ISO 3950): the quadrant seen from the patient, then the place from the midline. 1 to 4 are
 * the permanent quadrants, 5 to 8 those of milk teeth.
 */
interface Teeth {
  /** Two digits each, in FDI's order, each once. */
  teeth: string[];
  /** Words that name no tooth. */
  unknown: string[];
}

const TOOTH = /^(?:[1-4][1-8]|[5-8][1-5])$/;
/** Haderup's notation, which Danish dentists use too: `6+` is upper right, `+6` upper left, `-6` lower left, `6-` lower right. */
const HADERUP = /^([+-]?)(0?)([1-8])([+-]?)$/;

const quadrants = [
  { digits: "15", jaw: "overkæbe", side: "højre" },
  { digits: "26", jaw: "overkæbe", side: "venstre" },
  { digits: "37", jaw: "underkæbe", side: "venstre" },
  { digits: "48", jaw: "underkæbe", side: "højre" },
] as const;

const quadrantOf = (tooth: string) => quadrants.find(({ digits }) => digits.includes(tooth.charAt(0)))!;

/** The tooth that a word names by FDI or Haderup; null where it names none. */
function toothOf(word: string): string | null {
  if (TOOTH.test(word)) return word;
  const [, before = "", milk, place, after = ""] = HADERUP.exec(word) ?? [];
  if ((before === "") === (after === "")) return null;
  const isUpper = (before || after) === "+";
  const quadrant = isUpper ? (after === "" ? 2 : 1) : after === "" ? 3 : 4;
  const tooth = `${quadrant + (milk === "0" ? 4 : 0)}${place}`;
  return TOOTH.test(tooth) ? tooth : null;
}

const inOrder = (teeth: readonly string[]) => [...new Set(teeth)].sort();

/** Reads a list that somebody typed, parted by spaces, commas, semicolons or 'og'. */
export function teethIn(typed: string): Teeth {
  const words = typed
    .toLowerCase()
    .split(/[\s,;]+/)
    .filter((word) => word !== "" && word !== "og");
  const read = words.map((word) => ({ word, tooth: toothOf(word) }));
  return {
    teeth: inOrder(read.flatMap(({ tooth }) => tooth ?? [])),
    unknown: read.filter(({ tooth }) => tooth === null).map(({ word }) => word),
  };
}

/** As stored and typed: '36, 46'. */
export const listTeeth = (teeth: readonly string[]): string => teeth.join(", ");

/** With side and jaw, so that a slip of a digit is seen: '36, 37 (venstre underkæbe)'. */
export const describeTeeth = (stored: string): string =>
  quadrants
    .flatMap(({ digits, jaw, side }) => {
      const own = teethIn(stored).teeth.filter((tooth) => digits.includes(tooth.charAt(0)));
      return own.length === 0 ? [] : [`${listTeeth(own)} (${side} ${jaw})`];
    })
    .join(", ");

/** What makes a number an age, a dose, a day, a time, a measurement or a telephone number. */
const BEFORE_ANOTHER =
  /(?:^|[^a-zæøå])(?:uge|kl\.?|alder|ca\.?|den|d\.|siden|tlf\.?|mobil|telefon|ring|nr\.?|bmi|hba1c|inr) ?$/i;
const AFTER_ANOTHER =
  /^(?:%| ?(?:x|mg|g|ml|mm|cm|kg|min|mdr|kr|stk|om)(?![a-zæøå])|[- ]?(?:år|åring|mikrogram|uge|dag|måned|time|gang|pakke|cig|genstand)|\. ?(?:jan|feb|mar|apr|maj|jun|jul|aug|sep|okt|nov|dec))/i;
const ROUND = 12;

/** Teeth that a text names by FDI, alone or in a row as '34-36', '11/21' and '18 28'. */
export function teethOfText(text: string): string[] {
  const found: string[] = [];
  const number = /\d+(?:(?:[,;/–-] ?|[.: ])\d+)*/g;
  for (let match = number.exec(text); match !== null; match = number.exec(text)) {
    const [run] = match;
    const end = match.index + run.length;
    const parts = run.split(/[,;/ –-]+/);
    const isAnother =
      BEFORE_ANOTHER.test(text.slice(Math.max(0, match.index - ROUND), match.index)) ||
      AFTER_ANOTHER.test(text.slice(end, end + ROUND));
    if (!isAnother && parts.every((part) => TOOTH.test(part))) found.push(...parts);
  }
  return inOrder(found);
}

const SIDES = { højre: /(?:^|[^a-zæøå])højre(?![a-zæøå])/i, venstre: /(?:^|[^a-zæøå])venstre(?![a-zæøå])/i };

/** The texts of a referral that say which teeth it is about. */
export const textsOnTeeth = (form: { desiredTreatment: string | null; diagnose: string | null }) => [
  form.desiredTreatment,
  form.diagnose,
];

/**
 * What texts say of teeth or sides that the chosen teeth do not, as a sentence; null where they agree, and where no teeth are
 * chosen.
 */
export function otherTeethText(stored: string | null, texts: readonly (string | null)[]): string | null {
  const { teeth } = teethIn(stored ?? "");
  if (teeth.length === 0) return null;
  const text = texts.map((each) => each ?? "").join("\n");
  const others = teethOfText(text).filter((tooth) => !teeth.includes(tooth));
  if (others.length > 0)
    return `Teksten nævner tand ${listTeeth(others)}, men valgt er ${describeTeeth(listTeeth(teeth))}.`;
  const [side, second] = new Set(teeth.map((tooth) => quadrantOf(tooth).side));
  const other = side === "højre" ? "venstre" : "højre";
  if (second !== undefined || !SIDES[other].test(text) || SIDES[side!].test(text)) return null;
  return `Teksten nævner ${other} side, men valgt er ${describeTeeth(listTeeth(teeth))}.`;
}

/** A plan for teeth that the referral does not name, as a sentence; null where it names them, or names none. */
export function otherPlannedText(planned: string | null, referred: string | null): string | null {
  const named = teethIn(referred ?? "").teeth;
  const others = teethIn(planned ?? "").teeth.filter((tooth) => !named.includes(tooth));
  if (named.length === 0 || others.length === 0) return null;
  return `Planen har tand ${listTeeth(others)}, men der er henvist til ${describeTeeth(listTeeth(named))}.`;
}
