import fc from "fast-check";

/**
 * Characters that get lost or changed on the way, with the results expected by the rules (docs/decisions/0116,
 * docs/rules/files.md), not computed by the tested code.
 */
export interface OddSign {
  typed: string;
  line: string;
  text: string;
  sms: string;
  /** Free text in a PDF; characters missing from its font are named. */
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
/** Removed everywhere. */
const gone = (typed: string): OddSign => ({ ...same(""), typed });
/** Removed from lines, SMS and PDF but kept in free text, where it may join parts of an emoji. */
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
/** A reply with this text is refused with a message. */
export const PLACEHOLDER: OddSign = same("((link))");

const of = (...weighted: [number, OddSign[]][]) =>
  fc.oneof(...weighted.map(([weight, each]) => ({ weight, arbitrary: fc.constantFrom(...each) })));

/** A name that begins and ends with an ordinary letter. */
export const oddName = fc
  .array(of([5, letters], [3, betweenLetters]), { maxLength: 8 })
  .map((middle): OddSign[] => [same("N"), ...middle, same("e")]);

/** Free text, sometimes beginning like a formula. */
export const oddText = fc
  .tuple(
    fc.constantFrom("Tand ", "=SUM(1) ", "@a ", "-x "),
    fc.array(of([5, letters], [4, betweenLetters], [6, signs], [1, [PLACEHOLDER]]), { maxLength: 25 }),
  )
  .map(([first, rest]): OddSign[] => [same(first), ...rest, same("slut")]);

export const typedOf = (signsOf: readonly OddSign[]) => signsOf.map(({ typed }) => typed).join("");
export const read = (signsOf: readonly OddSign[], by: "line" | "text" | "sms") =>
  signsOf.map((sign) => sign[by]).join("");

/** A run of characters missing from the font is named once. */
export function inPdf(signsOf: readonly OddSign[]): string {
  const shown = signsOf.filter(({ pdf }) => pdf !== "");
  return shown
    .filter(({ pdf, isMissingInPdf }, at) => !isMissingInPdf || shown[at - 1]?.pdf !== pdf)
    .map(({ pdf }) => pdf)
    .join("");
}
