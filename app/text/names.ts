import { withoutUnseen } from "./normalise";

/**
 * Sort and search keys of names. Both databases compare bytes, so the order and the tolerance are written here. Letters are taken
 * apart first: `å` also comes as `a` and a ring (files and texts from a Mac), and is the same letter.
 */

const ACCENTS = /[\u0300-\u036f]/g;

/** Letters that Unicode does not take apart, each as a Danish reader looks for it. */
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
/** From the first of them in Unicode to the last. */
const NOT_APART = /[\u00df-\u0167]/g;

/** Longer than any name. Taking letters apart takes a time that grows with the square of the accents behind one letter. */
const MAX_READ = 1000;

const apart = (text: string) => withoutUnseen(text.slice(0, MAX_READ)).normalize("NFD").toLowerCase();

const withoutStrokes = (text: string) => text.replace(NOT_APART, (letter) => BASE[letter] ?? letter);

/** A key whose byte order is the Danish one: æ, ø, å (and aa) last, ü as y, other accents off. */
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

/** A key under which `Møller`, `moeller` and `MÖLLER` are the same. */
export function searchKey(text: string): string {
  return withoutStrokes(apart(text))
    .replace(/æ|a\u0308/g, "ae")
    .replace(/ø|o\u0308/g, "oe")
    .replace(/a\u030a/g, "aa")
    .replace(ACCENTS, "")
    .replace(/\s+/g, " ")
    .trim();
}

/** The words of a name, or of a search for one, as search keys; at most twelve of at most 60 characters. */
export function nameTokens(text: string): string[] {
  const words = searchKey(text)
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => word.slice(0, 60));
  return [...new Set(words)].slice(0, 12);
}

const MAX_SEARCHED_WORDS = 6;

/**
 * The words of a search that rows are looked up by, the longest first: a word that begins another one is left out, since whoever has the longer one
 * has it too, and of more than six the longest are kept. No word of a name can then begin with two of them.
 */
export function searchedWords(text: string): string[] {
  const words = nameTokens(text);
  return words
    .filter((word) => !words.some((other) => other !== word && other.startsWith(word)))
    .sort((one, other) => other.length - one.length)
    .slice(0, MAX_SEARCHED_WORDS);
}

export function fullName(person: { first_name: string; last_name: string }): string {
  return `${person.first_name} ${person.last_name}`.trim();
}
