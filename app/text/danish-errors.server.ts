import { z } from "zod";
import { showCount } from "./numbers";

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

/** Danish text of an issue without its own. */
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

/** Makes zod say what it refuses in Danish, also where a schema has no words of its own. */
export const configureDanishErrors = () => void z.config({ localeError, customError: plainError });
