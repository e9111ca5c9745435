import { composed } from "~/text/normalise";

/** Longest file name kept, in characters (code points). Leaves room for a number in a ZIP and for paths on Windows. */
export const MAX_FILE_NAME_LENGTH = 120;

/** A file that is sent under a longer name is refused. Windows and the usual disks keep at most 255 characters, a ZIP also names the folders. */
export const MAX_SENT_NAME_BYTES = 1024;

/** What is read of the last part of a path: its beginning, and as much of its end. */
const MAX_READ = 400;

/** Used when nothing of the name can be kept. */
export const NAMELESS_FILE = "fil";

// Windows refuses these names whatever the extension, and referrers open our ZIPs there.
const reservedOnWindows = /^(con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/**
 * A file name that is safe to show, to keep and to put in a header or a ZIP.
 * Takes away folders, control characters, invisible and direction-changing characters (a right-to-left override can make
 * "gpj.exe" read as "exe.jpg"), characters Windows refuses, and dots and spaces at the ends. Keeps æ, ø, å and other
 * letters in composed form (NFC), and the extension when a long name is cut. Never empty; applying it twice changes nothing.
 */
export function sanitiseFileName(fileName: string): string {
  const parts = fileName.split(/[/\\]/).filter((part) => /[^\s.]/.test(part));
  const cleaned = trimEnds(
    cut(parts.pop() ?? "")
      .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cn}\p{Cs}\u2028\u2029]/gu, "")
      // Only now: an invisible character may have stood between a letter and its accent.
      .normalize("NFC")
      .replace(/[<>:"|?*/\\]/g, "_")
      .replace(/\s+/g, " "),
  );
  const shortened = shorten(cleaned === "" ? NAMELESS_FILE : cleaned);
  return reservedOnWindows.test(shortened) ? shorten(`_${shortened}`) : shortened;
}

const danish: Record<string, string> = { æ: "ae", ø: "oe", å: "aa", Æ: "Ae", Ø: "Oe", Å: "Aa" };

/** The same name in ASCII alone, as old phones and ZIP programs read it: `Kæbe nr. 1.jpg` as `Kaebe nr. 1.jpg`. */
export function asciiFileName(fileName: string): string {
  return composed(fileName)
    .replace(/[æøåÆØÅ]/g, (letter) => danish[letter]!)
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .replace(/[^\x20-\x7e]/g, "_");
}

/** Without the middle of a text that is far too long: composing letters (NFC) takes a time that grows with the square of their accents. */
const cut = (text: string) => (text.length <= 2 * MAX_READ ? text : text.slice(0, MAX_READ) + text.slice(-MAX_READ));

/** Without a regular expression, which would try each dot of a run inside the text as the first of a run at its end. */
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
