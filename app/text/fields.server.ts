import { z } from "zod";
import { joinCprBoxes, parseCpr } from "./cpr";

/** Characters that a person's name may not hold (design/decisions.md, CPR numbers). */
const EXCLUDED = /[<>{}[\]\\|\d]/;

const tooLong = (longest: number | bigint) => `Teksten er for lang: højst ${longest} tegn.`;

const { localeError } = z.locales.da();

// What no schema has words of its own for is said in Danish all the same, whoever sends it.
z.config({
  localeError,
  customError: (issue) => (issue.code === "too_big" && issue.origin === "string" ? tooLong(issue.maximum) : undefined),
});

/** Text of at most so many characters, without the spaces around it. */
export const text = (longest: number) => z.string().trim().max(longest);

/** Text that may be missing; null then. */
export const optionalText = (longest: number) => text(longest).optional().transform((value) => value ?? null);

export const requiredText = (message: string, longest: number) => z.string({ error: message }).trim().min(1, message).max(longest, tooLong(longest));

/** A first or last name, of a patient and of a user alike. */
export const personName = (message: string) =>
  requiredText(message, 100).refine((value) => !EXCLUDED.test(value), "Navnet må ikke indeholde tal eller tegnene < > { } [ ] \\ |");

/** An e-mail address or none; null then. */
export const optionalEmail = text(254)
  .pipe(z.union([z.literal(""), z.email({ error: "Skriv en e-mail-adresse, fx navn@eksempel.dk, eller lad feltet stå tomt." })]))
  .optional()
  .transform((value) => value || null);

/** The two boxes of a patient's CPR number, as a form sends them. */
export const cprBoxes = {
  cpr6: requiredText("Skriv patientens CPR-nummer.", 20),
  cpr4: z.string().trim().max(10).optional(),
};

/** The boxes as `DDMMYY-XXXX`, or null when they are no CPR number. A rule over several fields also meets what is no text, such as a box that was sent twice. */
export const cprOf = ({ cpr6, cpr4 }: { cpr6?: unknown; cpr4?: unknown }) => parseCpr(joinCprBoxes(textIn(cpr6), textIn(cpr4)));

const textIn = (box: unknown) => (typeof box === "string" ? box : "");

/** What is said of boxes that are filled and wrong; empty ones have a sentence of their own. */
export const cprRule = {
  path: "cpr6",
  message: "CPR-nummeret skal være en dato på seks cifre og fire tegn, fx 251248-9996.",
  holds: (boxes: { cpr6?: string; cpr4?: string }) => !boxes.cpr6 || cprOf(boxes) !== null,
};
