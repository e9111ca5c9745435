import { createHash } from "node:crypto";
import type { Secrets } from "~/access/secrets.server";
import type { StoredLetter } from "~/features/edi/message-content";
import type { EdiObject, ReadLetter } from "~/features/edi/reading/letter";
import { composed } from "~/text/normalise";

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

const plain = (_key: string, value: unknown) =>
  typeof value === "string" ? composed(value).replace(/\s+/g, " ").trim() : value;

/** Digest of a letter with its files. Envelope, blanks and line breaks do not count. */
export function letterDigest(letter: ReadLetter | StoredLetter): string {
  const { objects = [], ...words }: { objects?: EdiObject[] } = letter as ReadLetter & { objects?: EdiObject[] };
  const files = objects.map(({ objectId, extension, bytes }) => [objectId, extension, sha256(bytes)]);
  return sha256(JSON.stringify([words, files], plain));
}

/**
 * Key of a letter by sender and content, whichever envelope it came in. Keyed, because the digest identifies a patient.
 */
export const dedupeKeyOf = (
  secrets: Secrets,
  { sender, identifier, type, digest }: Pick<ReadLetter, "sender" | "identifier" | "type"> & { digest: string },
) => secrets.lookup("edi", JSON.stringify([sender.ean, identifier, type, digest]));
