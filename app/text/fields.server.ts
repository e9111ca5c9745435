import { z } from "zod";

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
