/** Zero-width and direction marks, soft hyphens and byte order marks, which make equal-looking texts differ. */
const UNSEEN = /\p{Cf}/gu;
const SPACES = /\p{Zs}/gu;
/** Direction marks and U+FEFF, not the joiners of emoji. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

/** Combining marks of one letter. */
const MARKS = /\p{M}+/gu;
/** Limit of UAX 15 (stream-safe text). */
const MAX_MARKS = 30;

const fewMarks = (marks: string) => (marks.length <= MAX_MARKS ? marks : [...marks].slice(0, MAX_MARKS).join(""));

/** Composes letters. Sorting marks is quadratic: 250 KB of them would take half a minute. */
export const composed = (text: string) => text.replace(MARKS, fewMarks).normalize("NFC");

export const withoutUnseen = (text: string) => text.replace(UNSEEN, "").replace(SPACES, " ");

/** Stored form of a line: composed, plain spaces, no invisible characters. */
export const cleanLine = (text: string) => composed(withoutUnseen(text)).trim();

/** Stored form of free text: composed, no direction marks. */
export const cleanText = (text: string) => composed(text.replace(DIRECTIONS, "")).trim();

/** A number as a line in which every dash is a hyphen. */
export const cleanNumber = (text: string) => cleanLine(text).replace(DASHES, "-");
