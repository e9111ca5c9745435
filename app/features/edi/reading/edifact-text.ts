import { cleanLine, cleanText } from "~/text/normalise";
import type { Segment } from "./edifact-segments";

/**
 * The free text of several FTX segments. A component is a line; one that ends with a backslash was only wrapped, and goes on in the next
 * component or segment. A lone `.` or `_` is an empty line. Null where there is none.
 */
export function freeText(segments: readonly Segment[], qualifier: string): string | null {
  const parts = segments
    .filter(({ tag, elements }) => tag === "FTX" && elements[0]?.[0] === qualifier)
    .flatMap(({ elements }) => elements[3] ?? []);
  let text = "";
  let isWrapped = true;
  for (const part of parts) {
    const goesOn = part.endsWith("\\");
    const words = goesOn ? part.slice(0, -1) : /^\s*[._]\s*$/.test(part) ? "" : part;
    text += isWrapped ? words : `\n${words}`;
    isWrapped = goesOn;
  }
  return tidy(text);
}

/** One line of text as the portal stores lines; null where nothing is left. A `_` stands where a sender had to write something. */
export function lineOf(text: string): string | null {
  const line = cleanLine(text).replace(/\s+/g, " ");
  return line === "" || line === "_" ? null : line;
}

/** Free text as the portal stores it: lines without blanks around them, at most one empty line between two; null where nothing is left. */
export function tidy(text: string): string | null {
  const lines = cleanText(text)
    .split("\n")
    .map((line) => line.replace(/\s+/g, " ").trim());
  const tidied = lines
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return tidied === "" ? null : tidied;
}
