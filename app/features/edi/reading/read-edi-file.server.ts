import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { letterDigest } from "~/features/edi/receive/letter-digest.server";
import type { EdiAnswer, EdiJob, WrittenLetter, WrittenObject } from "./edi-job";
import type { EdiObject, Letter } from "./letter";
import { readEnvelope } from "./read-envelope.server";

/** Reads a file of up to 64 MB. Only in a reader process: a large letter takes seconds and hundreds of megabytes. */
export async function readEdiFile({ sourcePath, folder }: EdiJob): Promise<EdiAnswer> {
  const envelope = readEnvelope(await readFile(sourcePath));
  if ("isBroken" in envelope) return envelope;
  const letters: WrittenLetter[] = [];
  for (const [position, letter] of envelope.letters.entries())
    letters.push(await withWrittenObjects(letter, (nth) => path.join(folder, `${position}-${nth}`)));
  return { ...envelope, letters };
}

async function withWrittenObjects(letter: Letter, pathOf: (nth: number) => string): Promise<WrittenLetter> {
  if (letter.kind === "refused") return letter;
  const digest = letterDigest(letter);
  if (!("objects" in letter)) return { ...letter, digest };
  return { ...letter, digest, objects: await writeObjects(letter.objects, pathOf) };
}

const writeObjects = (objects: readonly EdiObject[], pathOf: (nth: number) => string): Promise<WrittenObject[]> =>
  Promise.all(
    objects.map(async ({ objectId, extension, bytes }, nth) => {
      await writeFile(pathOf(nth), bytes, { mode: 0o600 });
      return { objectId, extension, path: pathOf(nth) };
    }),
  );
