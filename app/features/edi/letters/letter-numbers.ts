/**
 * The numbers of a letter that we send: at most 14 characters, the same at every attempt. They tell which message of the outbox it is, so
 * that a receipt finds it, and carry some of the row's random key: numbers that begin anew, as in a copy of the database, are nobody's former ones.
 */

/** A letter has two parts, each in an envelope of its own: what it says, and its PDF. */
export const letterPartNames = ["letter", "attachment"] as const;
export type LetterPartName = (typeof letterPartNames)[number];

const initials = { letter: "L", attachment: "B" } as const satisfies Record<LetterPartName, string>;
const KEY_LENGTH = 6;

interface Row {
  id: number;
  /** 32 hexadecimal digits. */
  rowKey: string;
}

export const letterNumberOf = (part: LetterPartName, { id, rowKey }: Row): string =>
  `${initials[part]}${rowKey.slice(0, KEY_LENGTH)}${id.toString(36)}`.toUpperCase();

/** What such a number says; null for a number that is none of ours. Whether the key is the row's is for the asker to see. */
export function readLetterNumber(text: string): { part: LetterPartName; outboxId: number } | null {
  const [, initial, id] = /^([LB])[0-9A-F]{6}([0-9A-Z]{1,7})$/.exec(text) ?? [];
  const part = letterPartNames.find((name) => initials[name] === initial);
  return part === undefined ? null : { part, outboxId: Number.parseInt(id!, 36) };
}

/** The PDF's own number, a UUID. */
export const objectNumberOf = ({ rowKey }: Pick<Row, "rowKey">): string =>
  rowKey.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5").toUpperCase();
