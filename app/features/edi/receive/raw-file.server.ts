import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { setImmediate } from "node:timers/promises";
import type { FileStore } from "~/gateways/file-store/port";
import { sanitiseFileName } from "~/files/file-name";
import { extensionOf, fileKinds } from "~/files/file-rules";
import type { NewStoredFile } from "~/files/stored-file-store.server";
import { storeUpload } from "~/files/store-file.server";
import type { WrittenObject } from "../reading/edi-job";
import type { Portal } from "~/portal.server";

const IV_BYTES = 12;
const TAG_BYTES = 16;

// Yields to other requests after each part, since a file may have 64 MB.
const PART_BYTES = 1024 * 1024;

async function* partsOf(bytes: Buffer) {
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    yield bytes.subarray(at, at + PART_BYTES);
    await setImmediate();
  }
}

export async function sha256Of(bytes: Buffer): Promise<string> {
  const hash = createHash("sha256");
  for await (const part of partsOf(bytes)) hash.update(part);
  return hash.digest("hex");
}

/**
 * Encrypts a file with AES-256-GCM under a new key. The key is stored sealed in the database, so that rotation does not
 * rewrite files.
 */
export function encryptRaw(bytes: Buffer): {
  key: string;
  sealed: AsyncGenerator<Buffer>;
  factsOfSealed(): { sizeBytes: number; sha256: string };
} {
  const key = randomBytes(32);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const hash = createHash("sha256");
  let sizeBytes = 0;
  const counted = (part: Buffer) => {
    hash.update(part);
    sizeBytes += part.length;
    return part;
  };
  async function* seal() {
    yield counted(iv);
    for await (const part of partsOf(bytes)) yield counted(cipher.update(part));
    cipher.final();
    yield counted(cipher.getAuthTag());
  }
  return {
    key: key.toString("base64"),
    sealed: seal(),
    factsOfSealed: () => ({ sizeBytes, sha256: hash.digest("hex") }),
  };
}

/** Decrypts a stored file. Rejects if it is missing or altered. */
export async function readRaw(files: FileStore, storageKey: string, key: string): Promise<Buffer> {
  const sealed = await buffer(await files.openRead(storageKey));
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key, "base64"), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  const opened: Buffer[] = [];
  for await (const part of partsOf(sealed.subarray(IV_BYTES, -TAG_BYTES))) opened.push(decipher.update(part));
  return Buffer.concat([...opened, decipher.final()]);
}

export interface JudgedObject {
  objectId: string;
  fileName: string;
  accepted: NewStoredFile | null;
  refused: string | null;
}

const pictures: readonly string[] = fileKinds.radiograph.extensions;
const taken = [...new Set<string>([...pictures, ...fileKinds.journal.extensions])];
const WRONG_TYPE = `Denne filtype er ikke godkendt. Tilladte filtyper: ${taken.join(", ")}.`;

export const kindOf = (fileName: string) =>
  pictures.includes(fileName.slice(fileName.lastIndexOf(".") + 1)) ? ("radiograph" as const) : ("journal" as const);

/** Checks a letter's files by the upload rules and stores the accepted ones; refused ones get a reason. */
export async function storeObjects(portal: Portal, objects: readonly WrittenObject[]): Promise<JudgedObject[]> {
  const judged: JudgedObject[] = [];
  for (const [index, { objectId, extension, path }] of objects.entries()) {
    const name = `EDI-bilag ${index + 1}.${extension}`;
    if (!taken.includes(extensionOf(name) ?? "")) {
      judged.push({ objectId, fileName: sanitiseFileName(name), accepted: null, refused: WRONG_TYPE });
      continue;
    }
    const result = await storeUpload(portal, path, name, kindOf(name), { requestedBy: "edi" });
    judged.push(
      "accepted" in result
        ? { objectId, fileName: result.accepted.fileName, accepted: result.accepted, refused: null }
        : { objectId, fileName: result.fileName, accepted: null, refused: result.refused },
    );
  }
  return judged;
}
