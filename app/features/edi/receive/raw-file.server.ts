import { createCipheriv, createDecipheriv, randomBytes } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { FileStore } from "~/gateways/file-store/port";

const IV_BYTES = 12;
const TAG_BYTES = 16;

/** A file under AES-256-GCM and a new key of its own: the key stands sealed in the database, so that new secrets need not rewrite files. */
export function encryptRaw(bytes: Buffer): { key: string; sealed: Buffer } {
  const key = randomBytes(32);
  const iv = randomBytes(IV_BYTES);
  const cipher = createCipheriv("aes-256-gcm", key, iv);
  const body = [cipher.update(bytes), cipher.final()];
  return { key: key.toString("base64"), sealed: Buffer.concat([iv, ...body, cipher.getAuthTag()]) };
}

/** The file as it came. Rejects when the store does not have it, or it is not what was kept. */
export async function readRaw(files: FileStore, storageKey: string, key: string): Promise<Buffer> {
  const sealed = await buffer(await files.openRead(storageKey));
  const decipher = createDecipheriv("aes-256-gcm", Buffer.from(key, "base64"), sealed.subarray(0, IV_BYTES));
  decipher.setAuthTag(sealed.subarray(-TAG_BYTES));
  return Buffer.concat([decipher.update(sealed.subarray(IV_BYTES, -TAG_BYTES)), decipher.final()]);
}
