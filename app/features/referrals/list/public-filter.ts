import type { OverviewFilter } from "./filters";

/** How a filter's value is written in an address after its letter: digits and hyphens. */
interface Part<V = unknown> {
  letter: string;
  write(value: V): string;
  read(text: string): unknown;
}

const box = (letter: string): Part<true> => ({ letter, write: () => "", read: (text) => text === "" });
const day = (letter: string): Part<string> => ({ letter, write: (date) => date, read: (text) => text });
const numbers = (letter: string): Part<number[]> => ({
  letter,
  write: (values) => values.join("-"),
  read: (text) => text.split("-").filter(Boolean),
});

/** Filters without personal data, in address order: `s0-16m`, `s5w2026-11-07` (docs/decisions/0017). */
const parts: { [K in keyof OverviewFilter]: Part<NonNullable<OverviewFilter[K]>> } = {
  statuses: numbers("s"),
  newMessages: box("m"),
  onlyUrgent: box("u"),
  mine: box("e"),
  thereOn: day("n"),
  awayOn: day("v"),
  inStatusSince: day("w"),
  silentOn: day("t"),
};

/** Writes a filter in clear; null if it is empty or contains personal data. */
export function writePublicFilter(filter: OverviewFilter): string | null {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0 || asked.some(([key]) => !(key in parts))) return null;
  const values = new Map<string, unknown>(asked);
  return (Object.entries(parts) as [string, Part][])
    .filter(([key]) => values.has(key))
    .map(([key, { letter, write }]) => letter + write(values.get(key)))
    .join("");
}

/** Parses such a text without validating it; null for any other text, such as a seal. */
export function readPublicFilter(text: string): Record<string, unknown> | null {
  if (!/^([a-z][\d-]*)+$/.test(text)) return null;
  const asked = text.match(/[a-z][\d-]*/g)!.map((piece) => {
    const part = (Object.entries(parts) as [string, Part][]).find(([, { letter }]) => letter === piece[0]);
    return part && ([part[0], part[1].read(piece.slice(1))] as const);
  });
  return asked.every((each) => each !== undefined) ? Object.fromEntries(asked) : null;
}
