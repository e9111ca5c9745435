import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ediJob, type WrittenLetter } from "~/features/edi/reading/edi-job";
import type { EdiObject, Envelope, ReadLetter, RefusedLetter } from "~/features/edi/reading/letter";
import type { BrokenEnvelope } from "~/features/edi/reading/read-envelope.server";
import type { Portal } from "~/portal.server";
import { type JudgedObject, storeObjects } from "./raw-file.server";
import { createHash } from "node:crypto";
import type { Secrets } from "~/access/secrets.server";
import type { StoredLetter } from "~/features/edi/edi-states";
import { composed } from "~/text/normalise";

export type ReadEnvelope = Omit<Envelope, "letters" | "senderEan">;

export const NO_ENVELOPE: ReadEnvelope = { syntax: "xml", wantsReceipt: false, identifier: "", receiverEan: null };

const UNREADABLE: BrokenEnvelope = {
  isBroken: true,
  refuseCode: "ikke_specificeret",
  text: "Filen kan ikke læses: det tager for lang tid eller for meget plads.",
};

/**
 * Reads a file in a reader process and stores the accepted files of its letters, in order. A file on which the reader
 * hangs or dies is refused. @param isWanted whether to store the files of the letter at a position. Throws when the
 * portal is closing, and what storing a file throws.
 */
export async function readLetters(
  portal: Portal,
  bytes: Buffer,
  isWanted: (position: number) => boolean = () => true,
): Promise<{ envelope: ReadEnvelope; letters: WrittenLetter[]; objects: JudgedObject[][] }> {
  const folder = await mkdtemp(path.join(portal.config.dataDir, "edi-"));
  try {
    const sourcePath = path.join(folder, "file");
    await writeFile(sourcePath, bytes, { mode: 0o600 });
    const read = (await portal.readers.read(ediJob, { sourcePath, folder }, "edi")) ?? UNREADABLE;
    if ("isBroken" in read) return { envelope: NO_ENVELOPE, letters: [refusedOf(read)], objects: [] };
    const letters = read.letters.map((letter) => refuseOthers(letter, portal.config.edi?.glns ?? []));
    const objects: JudgedObject[][] = [];
    for (const [position, letter] of letters.entries())
      objects.push(await storeObjects(portal, "objects" in letter && isWanted(position) ? letter.objects : []));
    return { envelope: read, letters, objects };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const refusedOf = ({ refuseCode, text }: BrokenEnvelope): RefusedLetter => ({
  kind: "refused",
  identifier: null,
  type: null,
  version: null,
  sender: null,
  receiver: null,
  refuseCode,
  text,
});

function refuseOthers(letter: WrittenLetter, ours: readonly string[]): WrittenLetter {
  const ean = letter.receiver?.ean ?? null;
  if (letter.kind === "refused" || ours.length === 0 || (ean !== null && ours.includes(ean))) return letter;
  return {
    kind: "refused",
    identifier: letter.identifier,
    type: letter.type,
    version: letter.version,
    sender: letter.sender,
    receiver: letter.receiver,
    refuseCode: "ukendt_lokationsnummer",
    text: `Lokationsnummeret ${ean?.slice(0, 13) ?? "(intet)"} er ikke vores.`,
  };
}

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
