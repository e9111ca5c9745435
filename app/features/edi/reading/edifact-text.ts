import { cleanLine, cleanText } from "~/text/normalise";
import type { Segment } from "./edifact-segments";

/**
 * Free text of FTX segments. Each component is a line; a trailing backslash continues in the next. `.` or `_` alone is
 * an empty line. Null if none.
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

/** One line of text; null if empty. Senders write `_` for an empty mandatory value. */
export function lineOf(text: string): string | null {
  const line = cleanLine(text).replace(/\s+/g, " ");
  return line === "" || line === "_" ? null : line;
}

/** Normalises free text: trimmed lines, at most one blank line between two; null if empty. */
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
