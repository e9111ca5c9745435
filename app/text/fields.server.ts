import { z } from "zod";
import { domainToASCII, domainToUnicode } from "node:url";
import { countCharacters } from "./limits";
import { showCount } from "./numbers";
import { noDayText, parseDay } from "./calendar";
import { isWholeCpr, joinCprBoxes, parseCpr } from "./cpr";
import { cleanLine, cleanText } from "./normalise";
import { toE164 } from "./phone";

/** Only such domains are converted: Node would read 1.2.3 as a machine's address. */
const hasLetters = (domain: string) => /[^\0-\x7f]|\bxn--/.test(domain);

const MAX_EMAIL = 254;

/** Leaves a text alone that is longer than an address: punycode costs letters times different letters. */
function rewriteDomain(text: string, rewrite: (domain: string) => string): string {
  const at = text.lastIndexOf("@");
  if (at < 0 || text.length > MAX_EMAIL) return text;
  const domain = text.slice(at + 1).toLowerCase();
  return `${text.slice(0, at)}@${(hasLetters(domain) && rewrite(domain)) || domain}`;
}

/** Stored form of an e-mail: domain in lower case and Unicode, so that its punycode equals it. */
export const cleanEmail = (typed: string) => rewriteDomain(cleanLine(typed), domainToUnicode);

export const emailKey = (typed: string) => cleanEmail(typed).toLowerCase();

export const asciiEmail = (address: string) => rewriteDomain(address, domainToASCII);

const EXCLUDED = /[<>{}[\]\\|\d]/;

/** Limits the length and reports the actual one; a line break counts once. */
const withinLimit = (maxLength: number) =>
  [
    (value: string) => countCharacters(value) <= maxLength,
    {
      error: ({ input }: { input?: unknown }) =>
        `${tooLong(maxLength).slice(0, -1)}, og her er ${showCount(countCharacters(String(input)))}.`,
    },
  ] as const;

export const line = z.string().overwrite(cleanLine);

export const text = (maxLength: number) =>
  z
    .string()
    .overwrite(cleanText)
    .refine(...withinLimit(maxLength));

/** Text of several lines, or none. */
export const paragraphs = (maxLength: number) => text(maxLength).default("");

export const optionalText = (maxLength: number) =>
  text(maxLength)
    .optional()
    .transform((value) => value ?? null);

export const requiredText = (message: string, maxLength: number) =>
  z
    .string({ error: message })
    .overwrite(cleanText)
    .min(1, message)
    .refine(...withinLimit(maxLength));

export const requiredLine = (message: string, maxLength: number) =>
  z
    .string({ error: message })
    .overwrite(cleanLine)
    .min(1, message)
    .refine(...withinLimit(maxLength));

export const optionalLine = (maxLength: number) =>
  line
    .refine(...withinLimit(maxLength))
    .optional()
    .transform((value) => value || null);

/** A phone number as typed, or null. Senders parse it with `toE164`. */
const optionalNumber = (message: string) =>
  optionalLine(40).refine((value) => value === null || toE164(value) !== null, message);

const NUMBERS = "40 12 34 56 eller +45 40 12 34 56.";
export const NO_MOBILE_PHONE = `Skriv et mobilnummer, fx ${NUMBERS}`;
const NO_PHONE = `Skriv et telefonnummer på otte cifre, fx ${NUMBERS}`;

export const optionalPhone = optionalNumber(NO_PHONE);
export const optionalMobilePhone = optionalNumber(NO_MOBILE_PHONE);

export const requiredPhone = (message: string) =>
  requiredLine(message, 40).refine((value) => value === "" || toE164(value) !== null, NO_PHONE);

/** Letters of another alphabet, and wide ones: a name of them could be read as somebody else's. */
const isLatin = (value: string) =>
  !/(?![0-9\p{Script=Latin}])[\p{L}\p{N}]/u.test(value) && value.normalize("NFKC") === value;

export const newUserName = requiredLine("Skriv et brugernavn.", 100)
  .refine((value) => !/[\s"'`´‘’“”„«»]/.test(value), "Brugernavnet må ikke indeholde mellemrum eller anførselstegn.")
  .refine(isLatin, "Brugernavnet må kun have latinske bogstaver og almindelige tal.");

export const personName = (message: string) =>
  requiredLine(message, 100).refine(
    (value) => !EXCLUDED.test(value),
    "Navnet må ikke indeholde tal eller tegnene < > { } [ ] \\ |",
  );

function dayOf(typed: string, context: z.core.$RefinementCtx): string {
  const day = parseDay(typed);
  if (day === null) context.addIssue({ code: "custom", message: noDayText(typed) });
  return day ?? z.NEVER;
}

export const typedDay = z.string().transform(dayOf);

export const optionalDay = z
  .string()
  .trim()
  .optional()
  .transform((typed, context) => (typed ? dayOf(typed, context) : null));

const isEmail = (value: string) => z.email().safeParse(asciiEmail(value)).success;

export const requiredEmail = z
  .string({ error: "Skriv en e-mailadresse, fx navn@eksempel.dk." })
  .overwrite(cleanEmail)
  .refine(...withinLimit(MAX_EMAIL))
  .refine(isEmail, "Skriv en e-mailadresse, fx navn@eksempel.dk.");

export const optionalEmail = z
  .string()
  .overwrite(cleanEmail)
  .refine(...withinLimit(MAX_EMAIL))
  .refine(
    (value) => value === "" || isEmail(value),
    "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt.",
  )
  .optional()
  .transform((value) => value || null);

export const cprBoxes = {
  cpr6: requiredLine("Skriv patientens CPR-nummer.", 40),
  cpr4: line.max(40).optional(),
};

/** The boxes as `DDMMYY-XXXX`, or null. Accepts non-text, such as a box sent twice. */
export const cprOf = ({ cpr6, cpr4 }: { cpr6?: unknown; cpr4?: unknown }) =>
  parseCpr(joinCprBoxes(textIn(cpr6), textIn(cpr4)));

const textIn = (box: unknown) => (typeof box === "string" ? box : "");

/** Error of filled but wrong boxes; empty ones have another text. */
export const cprError = ({ cpr6, cpr4 }: { cpr6?: unknown; cpr4?: unknown }) =>
  isWholeCpr(joinCprBoxes(textIn(cpr6), textIn(cpr4)))
    ? "CPR-nummeret findes ikke: de første seks cifre er ikke en dato."
    : "CPR-nummeret skal være en dato på seks cifre og fire tegn, fx 251248-9996.";

export const cprRule = {
  path: "cpr6",
  error: ({ input }: { input?: unknown }) => cprError(input as { cpr6?: unknown }),
  holds: (boxes: { cpr6?: string; cpr4?: string }) => !boxes.cpr6 || cprOf(boxes) !== null,
};

/**
 * Text of a searched choice (typed-choice.ts). Compared with labels and never stored, so it is cut instead of refused
 * for a field no page shows.
 */
export const typedChoice = line.overwrite((typed) => typed.slice(0, 400)).optional();

export const tooLong = (maxLength: number | bigint) =>
  `Teksten er for lang: højst ${showCount(Number(maxLength))} tegn.`;

const { localeError } = z.locales.da();

const SHAPES: Readonly<Record<string, string>> = {
  string: "Skal være tekst.",
  number: "Skal være et tal.",
  int: "Skal være et helt tal.",
  boolean: "Skal være true eller false.",
  array: "Skal være en liste.",
  object: "Skal være et objekt.",
};

function plainError(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === "invalid_type") return issue.input === undefined ? "Skal udfyldes." : SHAPES[issue.expected];
  if (issue.code === "invalid_value")
    return `Skal være ${issue.values.length === 1 ? "" : "en af "}${issue.values.map(String).join(", ")}.`;
  if (issue.code === "too_big" && issue.origin === "string") return tooLong(issue.maximum);
  if (issue.code === "too_big")
    return issue.origin === "array" ? `Højst ${issue.maximum} ad gangen.` : `Højst ${issue.maximum}.`;
  if (issue.code === "too_small" && (issue.origin === "string" || issue.origin === "array"))
    return Number(issue.minimum) === 1 ? "Skal udfyldes." : `Mindst ${issue.minimum}.`;
  if (issue.code === "too_small")
    return issue.inclusive ? `Mindst ${issue.minimum}.` : `Skal være over ${issue.minimum}.`;
  if (issue.code === "unrecognized_keys") return `Ukendt felt: ${issue.keys.join(", ")}.`;
  return undefined;
}

/** Gives zod's errors Danish texts, also where a schema has none of its own. */
export const configureDanishErrors = () => void z.config({ localeError, customError: plainError });
