/** Zero-width and direction marks, soft hyphens and byte order marks: two texts that look alike would differ by them. */
const UNSEEN = /\p{Cf}/gu;
const SPACES = /\p{Zs}/gu;

/** A text of one line (a name, an address, a number) as it is stored: composed letters, plain spaces, no sign that nobody sees. */
export const cleanLine = (text: string) => text.normalize("NFC").replace(UNSEEN, "").replace(SPACES, " ").trim();
