import { withoutUnseen } from "./normalise";

/**
 * Sort and search keys of names. Both databases compare bytes, so order and tolerance are defined here. Letters are
 * decomposed first, since a Mac writes `å` as `a` and a ring.
 */

const ACCENTS = /[\u0300-\u036f]/g;

/** Letters that Unicode does not decompose, as a Dane looks for them. */
const BASE: Readonly<Record<string, string>> = {
  ı: "i",
  ł: "l",
  đ: "d",
  ð: "d",
  ħ: "h",
  ŧ: "t",
  ŋ: "n",
  ĸ: "k",
  þ: "th",
  ß: "ss",
  œ: "oe",
};
const NOT_APART = /[\u00df-\u0167]/g;

/** Longer than any name; decomposing is quadratic in the accents of a letter. */
const MAX_READ = 1000;

const apart = (text: string) => withoutUnseen(text.slice(0, MAX_READ)).normalize("NFD").toLowerCase();

const withoutStrokes = (text: string) => text.replace(NOT_APART, (letter) => BASE[letter] ?? letter);

/** Key in Danish byte order: æ, ø, å (and aa) last, ü as y, other accents removed. */
export function sortKey(text: string): string {
  return withoutStrokes(apart(text))
    .replace(/æ|a\u0308/g, "{")
    .replace(/ø|o\u0308/g, "|")
    .replace(/a\u030a|aa/g, "}")
    .replace(/u\u0308/g, "y")
    .replace(ACCENTS, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Key under which `Møller`, `moeller` and `MÖLLER` are equal. */
export function searchKey(text: string): string {
  return withoutStrokes(apart(text))
    .replace(/æ|a\u0308/g, "ae")
    .replace(/ø|o\u0308/g, "oe")
    .replace(/a\u030a/g, "aa")
    .replace(ACCENTS, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** Search words of a name: at most twelve of 60 characters. */
export function nameTokens(text: string): string[] {
  const words = searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 60));
  return [...new Set(words)].slice(0, 12);
}

const MAX_SEARCHED_WORDS = 6;

/**
 * Words to look up, longest first. Prefixes of others are dropped, and at most six kept, so that no stored word matches
 * twice.
 */
export function searchedWords(text: string): string[] {
  const words = nameTokens(text);
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_SEARCHED_WORDS);
}

export function fullName(person: { firstName: string; lastName: string }): string {
  return `${person.firstName} ${person.lastName}`.trim();
}

export const joinedName = (first: string | null, last: string | null): string | null =>
  first === null ? null : fullName({ firstName: first, lastName: last ?? "" });
