import { mkdtemp, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { ediJob, type WrittenLetter } from "~/features/edi/reading/edi-job";
import type { Envelope, RefusedLetter } from "~/features/edi/reading/letter";
import type { BrokenEnvelope } from "~/features/edi/reading/read-envelope.server";
import type { Portal } from "~/portal.server";
import { type JudgedObject, storeObjects } from "./store-objects.server";

export type ReadEnvelope = Omit<Envelope, "letters" | "senderEan">;

/** Of a file whose sender nobody knows. */
export const NO_ENVELOPE: ReadEnvelope = { syntax: "xml", wantsReceipt: false, identifier: "", receiverEan: null };

const UNREADABLE: BrokenEnvelope = {
  isBroken: true,
  refuseCode: "ikke_specificeret",
  text: "Filen kan ikke læses: det tager for lang tid eller for meget plads.",
};

/**
 * Reads a file as it came where it can do no harm, and stores the files of its letters that pass the rules of uploads, in the letters' order.
 * A file over which the reader hangs or dies is refused. @param isWanted whose files are stored, by the letter's position. Throws when the
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

/** A letter that is no letter: the file is shown as one that was refused. */
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

/** A letter to another receiver is not read. */
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
