import type { OverviewFilter } from "./filters";

/** How the value of one filter stands in an address, behind its letter: in digits and hyphens. */
interface Part<V = unknown> {
  letter: string;
  write(value: V): string;
  /** Judged by the filter's own schema. */
  read(text: string): unknown;
}

const box = (letter: string): Part<true> => ({ letter, write: () => "", read: (text) => text === "" });
const day = (letter: string): Part<string> => ({ letter, write: (date) => date, read: (text) => text });
const numbers = (letter: string): Part<number[]> => ({
  letter,
  write: (values) => values.join("-"),
  read: (text) => text.split("-").filter(Boolean),
});

/** The filters that say nothing about anybody, in the order of the address: `s0-16m`, `s5w2026-11-07` (docs/decisions/0017). */
const parts: { [K in keyof OverviewFilter]: Part<NonNullable<OverviewFilter[K]>> } = {
  statuses: numbers("s"),
  newMessages: box("m"),
  onlyUrgent: box("u"),
  mine: box("e"),
  thereOn: day("n"),
  awayOn: day("v"),
  inStatusSince: day("w"),
};

/** The filter as text that anybody may read; null when it is empty, or asks for anything else. */
export function writePublicFilter(filter: OverviewFilter): string | null {
  const asked = Object.entries(filter).filter(([, value]) => value !== undefined);
  if (asked.length === 0 || asked.some(([key]) => !(key in parts))) return null;
  const values = new Map<string, unknown>(asked);
  return (Object.entries(parts) as [string, Part][])
    .filter(([key]) => values.has(key))
    .map(([key, { letter, write }]) => letter + write(values.get(key)))
    .join("");
}

/** What such a text asks for, not yet judged; null for any other text, such as a seal. */
export function readPublicFilter(text: string): Record<string, unknown> | null {
  if (!/^([a-z][\d-]*)+$/.test(text)) return null;
  const asked = text.match(/[a-z][\d-]*/g)!.map((piece) => {
    const part = (Object.entries(parts) as [string, Part][]).find(([, { letter }]) => letter === piece[0]);
    return part && ([part[0], part[1].read(piece.slice(1))] as const);
  });
  return asked.every((each) => each !== undefined) ? Object.fromEntries(asked) : null;
}
