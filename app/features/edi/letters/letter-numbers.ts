/**
 * Numbers of an outgoing letter, at most 14 characters and equal at every attempt. They identify the outbox row for
 * receipts and include part of its random key, because ids restart in a copied database.
 */

export const letterPartNames = ["letter", "attachment"] as const;
export type LetterPartName = (typeof letterPartNames)[number];

const initials = { letter: "L", attachment: "B" } as const satisfies Record<LetterPartName, string>;
const KEY_LENGTH = 6;

interface Row {
  id: number;
  rowKey: string;
}

export const letterNumberOf = (part: LetterPartName, { id, rowKey }: Row): string =>
  `${initials[part]}${rowKey.slice(0, KEY_LENGTH)}${id.toString(36)}`.toUpperCase();

/** Parses a letter number; null if it is not ours. The caller compares the key with the row's. */
export function readLetterNumber(text: string): { part: LetterPartName; outboxId: number } | null {
  const [, initial, id] = /^([LB])[0-9A-F]{6}([0-9A-Z]{1,7})$/.exec(text) ?? [];
  const part = letterPartNames.find((name) => initials[name] === initial);
  return part === undefined ? null : { part, outboxId: Number.parseInt(id!, 36) };
}

/** UUID of the PDF. */
export const objectNumberOf = ({ rowKey }: Pick<Row, "rowKey">): string =>
  rowKey.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5").toUpperCase();
