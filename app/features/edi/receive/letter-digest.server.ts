import { createHash } from "node:crypto";
import type { Secrets } from "~/access/secrets.server";
import type { StoredLetter } from "~/features/edi/message-content";
import type { EdiObject, ReadLetter } from "~/features/edi/reading/letter";
import { composed } from "~/text/normalise";

const sha256 = (bytes: string | Buffer) => createHash("sha256").update(bytes).digest("hex");

const plain = (_key: string, value: unknown) =>
  typeof value === "string" ? composed(value).replace(/\s+/g, " ").trim() : value;

/** What a letter says, its files among it, as a digest. The envelope, blanks and line breaks do not count. */
export function letterDigest(letter: ReadLetter | StoredLetter): string {
  const { objects = [], ...words }: { objects?: EdiObject[] } = letter as ReadLetter & { objects?: EdiObject[] };
  const files = objects.map(({ objectId, extension, bytes }) => [objectId, extension, sha256(bytes)]);
  return sha256(JSON.stringify([words, files], plain));
}

/** The same letter of the same sender has the same key, in whichever envelope it comes. Keyed, because a digest of a letter names its patient. */
export const dedupeKeyOf = (
  secrets: Secrets,
  { sender, identifier, type, digest }: Pick<ReadLetter, "sender" | "identifier" | "type"> & { digest: string },
) => secrets.lookup("edi", JSON.stringify([sender.ean, identifier, type, digest]));
