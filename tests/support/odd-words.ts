import fc from "fast-check";

/**
 * Signs that get lost or changed on their way, each with what the door's rule (docs/decisions/0116) and the channels (docs/rules/files.md: the PDF) make of it.
 * The table is the expectation: none of it is worked out by the code that is tested.
 */
export interface OddSign {
  typed: string;
  /** In a name or a number. */
  line: string;
  /** In free text. */
  text: string;
  /** Free text in an SMS. */
  sms: string;
  /** Free text in a PDF; what its font has not stands there by its name. */
  pdf: string;
  isMissingInPdf: boolean;
}

const same = (typed: string): OddSign => ({
  typed,
  line: typed,
  text: typed,
  sms: typed,
  pdf: typed,
  isMissingInPdf: false,
});
const made = (typed: string, stored: string): OddSign => ({ ...same(stored), typed });
/** Taken away wherever it stands. */
const gone = (typed: string): OddSign => ({ ...same(""), typed });
/** Taken from lines, SMS and PDF, kept in free text: within an emoji it may hold two parts together. */
const unseen = (typed: string): OddSign => ({ ...same(""), typed, text: typed });
const blank = (typed: string): OddSign => ({ ...same(" "), typed, text: typed });
const plainInSms = (typed: string, sms: string): OddSign => ({ ...same(typed), sms });
const missing = (typed: string, name: string, more: Partial<OddSign> = {}): OddSign => ({
  ...same(typed),
  pdf: `[${name}]`,
  isMissingInPdf: true,
  ...more,
});

const FAMILY = "👩\u200d👩\u200d👧";

/** What a name may hold. */
const letters: OddSign[] = [
  ...["a", "Bo", "æ", "ø", "å", "Æ", "Ø", "Å", "é", "ü", "ł", "Ś", "ą", "ğ", "ş", "İ", "ı"].map(same),
  made("a\u030a", "å"),
  made("A\u030a", "Å"),
  made("o\u0308", "ö"),
  made("s\u0327", "ş"),
  missing("سلام", "arabisk skrift"),
  missing("שלום", "hebraisk skrift"),
];
const betweenLetters: OddSign[] = [
  same(" "),
  same("-"),
  ...["\u202a", "\u202e", "\u200f", "\u2066", "\u2069", "\ufeff"].map(gone),
  ...["\u200b", "\u00ad", "\u2060"].map(unseen),
  blank("\u00a0"),
  { ...gone(""), typed: "A\u202e\u030a", line: "Å", text: "Å", sms: "Å", pdf: "Å" },
  { ...gone(""), typed: "a\u200b\u030a", line: "å", text: "a\u200b\u030a", sms: "å", pdf: "å" },
];
/** What only free text may hold. */
const signs: OddSign[] = [
  ..."'\"+:?;,\\<>&%=@[]{}|#0123".split("").map(same),
  ...["<b>fed</b>", "=SUM(A1:A9)", "&amp;", "''", "?'", "\\n", "{{x}}", "${x}", "\n"].map(same),
  made("\r\n", "\n"),
  plainInSms("’", "'"),
  plainInSms("“", '"'),
  plainInSms("–", "-"),
  plainInSms("…", "..."),
  missing("😀", "emoji"),
  missing(FAMILY, "emoji", { line: "👩👩👧" }),
  missing("👍🏽", "emoji"),
  missing("中文", "kinesisk skrift"),
];
/** A reply by SMS with this in it is refused, and says so. */
export const PLACEHOLDER: OddSign = same("((link))");

const of = (...weighted: [number, OddSign[]][]) =>
  fc.oneof(...weighted.map(([weight, each]) => ({ weight, arbitrary: fc.constantFrom(...each) })));

/** A name: it begins and ends with a letter that nothing takes away. */
export const oddName = fc
  .array(of([5, letters], [3, betweenLetters]), { maxLength: 8 })
  .map((middle): OddSign[] => [same("N"), ...middle, same("e")]);

/** Free text, some of it with a beginning that a spreadsheet would run. */
export const oddText = fc
  .tuple(
    fc.constantFrom("Tand ", "=SUM(1) ", "@a ", "-x "),
    fc.array(of([5, letters], [4, betweenLetters], [6, signs], [1, [PLACEHOLDER]]), { maxLength: 25 }),
  )
  .map(([first, rest]): OddSign[] => [same(first), ...rest, same("slut")]);

export const typedOf = (signsOf: readonly OddSign[]) => signsOf.map(({ typed }) => typed).join("");
export const read = (signsOf: readonly OddSign[], by: "line" | "text" | "sms") =>
  signsOf.map((sign) => sign[by]).join("");

/** In a PDF a run of what the font has not is named once. */
export function inPdf(signsOf: readonly OddSign[]): string {
  const shown = signsOf.filter(({ pdf }) => pdf !== "");
  return shown
    .filter(({ pdf, isMissingInPdf }, at) => !isMissingInPdf || shown[at - 1]?.pdf !== pdf)
    .map(({ pdf }) => pdf)
    .join("");
}
