import type { Answer } from "./sizes-portal";

/** An oversized request that can be sent repeatedly. */
export interface Hostile {
  kind: string;
  name: string;
  send(): Promise<Answer>;
}

export const KB = 1024;
export const MB = 1024 * KB;

/** Letters that are all different up to 30,000: punycode costs letters times different letters. */
export const differentLetters = (count: number) =>
  Array.from({ length: count }, (_, at) =>
    String.fromCodePoint(at % 2 ? 0x4e00 + (at % 20_000) : 0xac00 + (at % 11_000)),
  ).join("");
