import { withLineFeeds } from "./line-ends";

/** Zero-width and direction marks, soft hyphens, byte order marks and fillers: two texts that look alike would differ by them. */
const UNSEEN = /[\p{Cf}\p{DI}]/gu;
/** A space, or a line's end and other control characters: in a line they would begin a new one, such as another header of a mail. */
const SPACES = /\p{Zs}|[\p{Cc}\p{Zl}\p{Zp}]+/gu;
/** Control characters but tabs and ends of lines: no screen shows them, and XML knows none of them. */
const CONTROLS = /[^\P{Cc}\t\n\r]/gu;
/** Signs that turn the direction of what follows, and U+FEFF. The joiners within an emoji are not among them. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;
const DASHES = /[\p{Pd}\u02d7\u2043\u2212]/gu;

const MARKS = /\p{M}+/gu;
/** Limit of UAX 15 (stream-safe text). */
const MAX_MARKS = 30;

const fewMarks = (marks: string) => (marks.length <= MAX_MARKS ? marks : [...marks].slice(0, MAX_MARKS).join(""));

/** Composes letters. Sorting marks is quadratic: 250 KB of them would take half a minute. */
export const composed = (text: string) => text.replace(MARKS, fewMarks).normalize("NFC");

export const withoutUnseen = (text: string) => text.replace(UNSEEN, "").replace(SPACES, " ");

/** Stored form of a line: composed, plain spaces, no invisible characters. */
export const cleanLine = (text: string) => composed(withoutUnseen(text)).trim();

/** Free text as it is stored: composed letters, no sign that turns its direction, lines that end in LF, and no control character within a line but tabs. */
export const cleanText = (text: string) =>
  composed(withLineFeeds(text).replace(DIRECTIONS, "").replace(CONTROLS, "")).trim();

/** A number as a line in which every dash is a hyphen. */
export const cleanNumber = (text: string) => cleanLine(text).replace(DASHES, "-");
