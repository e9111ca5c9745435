import { composed } from "~/text/normalise";

/** In code points. Leaves room for a number in a ZIP and Windows paths. */
export const MAX_FILE_NAME_LENGTH = 120;

/** Longer sent names are refused. Windows and common disks allow 255 characters per name. */
export const MAX_SENT_NAME_BYTES = 1024;

/** Characters considered at each end of a name. */
const MAX_READ = 400;

export const NAMELESS_FILE = "fil";

// Windows refuses these names with any extension, and referrers open our ZIPs there.
const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * Makes a file name safe to show, store and use in headers and ZIPs. Removes folders, control, invisible and
 * direction-changing characters (which make "gpj.exe" read as "exe.jpg"), characters Windows refuses, and outer dots
 * and spaces. Keeps composed letters (NFC) and the extension when shortened. Never empty; idempotent.
 */
export function sanitiseFileName(fileName: string): string {
  const parts = fileName.split(/[/\\]/).filter((part) => /[^\s.]/.test(part));
  const cleaned = trimEnds(
    cut(parts.pop() ?? "")
      .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu, "")
      // Composed last: an invisible character may have separated letter and accent.
      .normalize("NFC")
      .replace(/[<>:"|?*/\\]/g, "_")
      .replace(/\s+/g, " "),
  );
  const shortened = shorten(cleaned === "" ? NAMELESS_FILE : cleaned);
  return reservedOnWindows.test(shortened) ? shorten(`_${shortened}`) : shortened;
}

const danish: Record<string, string> = { æ: "ae", ø: "oe", å: "aa", Æ: "Ae", Ø: "Oe", Å: "Aa" };

/** ASCII version for old phones and ZIP programs: `Kæbe nr. 1.jpg` becomes `Kaebe nr. 1.jpg`. */
export function asciiFileName(fileName: string): string {
  return composed(fileName)
    .replace(/[æøåÆØÅ]/g, (letter) => danish[letter]!)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "_");
}

/** Drops the middle of a very long text, since NFC is quadratic in accents. */
const cut = (text: string) => (text.length <= 2 * MAX_READ ? text : text.slice(0, MAX_READ) + text.slice(-MAX_READ));

function trimEnds(text: string): string {
  const isTrimmed = (at: number) => /[\s.]/.test(text[at]!);
  let [start, end] = [0, text.length];
  while (start < end && isTrimmed(start)) start += 1;
  while (end > start && isTrimmed(end - 1)) end -= 1;
  return text.slice(start, end);
}

function shorten(name: string): string {
  const characters = [...name];
  if (characters.length <= MAX_FILE_NAME_LENGTH) return name;
  const dot = characters.lastIndexOf(".");
  const ending = dot > 0 && characters.length - dot <= 13 ? characters.slice(dot).join("") : "";
  const room = MAX_FILE_NAME_LENGTH - [...ending].length;
  return trimEnds(characters.slice(0, room).join("")) + ending;
}
