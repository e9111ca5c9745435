/** Zero-width and direction marks, soft hyphens and byte order marks: two texts that look alike would differ by them. */
const UNSEEN = /\p{Cf}/gu;
const SPACES = /\p{Zs}/gu;
/** Signs that turn the direction of what follows, and U+FEFF. The joiners within an emoji are not among them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

/** The marks of one letter. */
const MARKS = /\p{M}+/gu;
/** What Unicode allows for (UAX 15, stream-safe text). */
const MAX_MARKS = 30;

const fewMarks = (marks: string) => (marks.length <= MAX_MARKS ? marks : [...marks].slice(0, MAX_MARKS).join(""));

/** Composed letters. Sorting the marks of one letter takes a time that grows with their square: 250 KB of them would take half a minute. */
export const composed = (text: string) => text.replace(MARKS, fewMarks).normalize("NFC");

/** A text without the signs that nobody sees, with plain spaces. */
export const withoutUnseen = (text: string) => text.replace(UNSEEN, "").replace(SPACES, " ");

/** A text of one line (a name, an address, a number) as it is stored: composed letters, plain spaces, no sign that nobody sees. */
export const cleanLine = (text: string) => composed(withoutUnseen(text)).trim();

/** Free text as it is stored: composed letters, and no sign that turns its direction. */
export const cleanText = (text: string) => composed(text.replace(DIRECTIONS, "")).trim();

/** A number of a person, a phone or a car: a line in which every dash and minus is a hyphen. */
export const cleanNumber = (text: string) => cleanLine(text).replace(DASHES, "-");
