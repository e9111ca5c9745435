import { z } from "zod";
import { countCharacters } from "./limits";
import { showCount } from "./numbers";
import { noDayText, parseDay } from "./calendar";
import { isWholeCpr, joinCprBoxes, parseCpr } from "./cpr";
import { asciiEmail, cleanEmail } from "./email.server";
import { cleanLine, cleanText } from "./normalise";
import { toE164 } from "./phone";

/** Characters that a person's name may not hold. */
const EXCLUDED = /[<>{}[\]\\|\d]/;

const tooLong = (maxLength: number | bigint) => `Teksten er for lang: højst ${showCount(Number(maxLength))} tegn.`;

/** The same, with how many there are; a line's end counts once. */
const withinLimit = (maxLength: number) =>
  [
    (value: string) => countCharacters(value) <= maxLength,
    {
      error: ({ input }: { input?: unknown }) =>
        `${tooLong(maxLength).slice(0, -1)}, og her er ${showCount(countCharacters(String(input)))}.`,
    },
  ] as const;

const { localeError } = z.locales.da();

const SHAPES: Readonly<Record<string, string>> = {
  string: "Skal være tekst.",
  number: "Skal være et tal.",
  int: "Skal være et helt tal.",
  boolean: "Skal være true eller false.",
  array: "Skal være en liste.",
  object: "Skal være et objekt.",
};

/** What no schema has words of its own for, as a person would say it. */
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

z.config({ localeError, customError: plainError });

/** A line of any length: a word to search by, or a number that its reader judges. */
export const line = z.string().overwrite(cleanLine);

/** Text of at most so many characters, without the spaces around it. */
export const text = (maxLength: number) =>
  z
    .string()
    .overwrite(cleanText)
    .refine(...withinLimit(maxLength));

/** Text that may be missing; null then. */
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

/** A name, an address or a number: without signs that nobody sees. */
export const requiredLine = (message: string, maxLength: number) =>
  z
    .string({ error: message })
    .overwrite(cleanLine)
    .min(1, message)
    .refine(...withinLimit(maxLength));

/** The same, or nothing; null then. */
export const optionalLine = (maxLength: number) =>
  line
    .refine(...withinLimit(maxLength))
    .optional()
    .transform((value) => value || null);

/** A phone number as it was typed, or nothing; null then. Whoever sends to it reads it by `toE164`. */
const optionalNumber = (message: string) =>
  optionalLine(40).refine((value) => value === null || toE164(value) !== null, message);

const NUMBERS = "40 12 34 56 eller +45 40 12 34 56.";
export const NO_MOBILE_PHONE = `Skriv et mobilnummer, fx ${NUMBERS}`;
const NO_PHONE = `Skriv et telefonnummer på otte cifre, fx ${NUMBERS}`;

export const optionalPhone = optionalNumber(NO_PHONE);
export const optionalMobilePhone = optionalNumber(NO_MOBILE_PHONE);

export const requiredPhone = (message: string) =>
  requiredLine(message, 40).refine((value) => value === "" || toE164(value) !== null, NO_PHONE);

/** What one signs in by. */
export const newUserName = requiredLine("Skriv et brugernavn.", 100).refine(
  (value) => !/[\s"'`´‘’“”„«»]/.test(value),
  "Brugernavnet må ikke indeholde mellemrum eller anførselstegn.",
);

/** A first or last name, of a patient and of a user alike. */
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

/** A day as people type it, to `YYYY-MM-DD`. */
export const typedDay = z.string().transform(dayOf);

/** The same, or nothing; null then. */
export const optionalDay = z
  .string()
  .trim()
  .optional()
  .transform((typed, context) => (typed ? dayOf(typed, context) : null));

const isEmail = (value: string) => z.email().safeParse(asciiEmail(value)).success;

export const requiredEmail = z
  .string({ error: "Skriv en e-mailadresse, fx navn@eksempel.dk." })
  .overwrite(cleanEmail)
  .refine(...withinLimit(254))
  .refine(isEmail, "Skriv en e-mailadresse, fx navn@eksempel.dk.");

/** An e-mail address or none; null then. */
export const optionalEmail = z
  .string()
  .overwrite(cleanEmail)
  .refine(...withinLimit(254))
  .refine(
    (value) => value === "" || isEmail(value),
    "Skriv en e-mailadresse, fx navn@eksempel.dk, eller lad feltet stå tomt.",
  )
  .optional()
  .transform((value) => value || null);

/** The two boxes of a patient's CPR number, as a form sends them. */
export const cprBoxes = {
  cpr6: requiredLine("Skriv patientens CPR-nummer.", 40),
  cpr4: line.max(40).optional(),
};

/** The boxes as `DDMMYY-XXXX`, or null when they are no CPR number. A rule over several fields also meets what is no text, such as a box that was sent twice. */
export const cprOf = ({ cpr6, cpr4 }: { cpr6?: unknown; cpr4?: unknown }) =>
  parseCpr(joinCprBoxes(textIn(cpr6), textIn(cpr4)));

const textIn = (box: unknown) => (typeof box === "string" ? box : "");

/** What is said of boxes that are filled and wrong; empty ones have a sentence of their own. */
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
 * The text that stands in the field of a choice which is found while typing (typed-choice.ts). It is compared with labels and never kept, so
 * one that is longer than a label is cut: an error of its own would name a field that no page shows.
 */
export const typedChoice = line.overwrite((typed) => typed.slice(0, 400)).optional();
