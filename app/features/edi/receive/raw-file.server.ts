import { randomBytes, subtle } from "node:crypto";
import { buffer } from "node:stream/consumers";
import type { FileStore } from "~/gateways/file-store/port";

const IV_BYTES = 12;

// Web Crypto works in a thread of its own: over 64 MB the others would wait for each of these.
const importKey = (key: Buffer) => subtle.importKey("raw", key, "AES-GCM", false, ["encrypt", "decrypt"]);

/** In hexadecimal. */
export const sha256Of = async (bytes: Buffer) => Buffer.from(await subtle.digest("SHA-256", bytes)).toString("hex");

/** A file under AES-256-GCM and a new key of its own: the key stands sealed in the database, so that new secrets need not rewrite files. */
export async function encryptRaw(bytes: Buffer): Promise<{ key: string; sealed: Buffer }> {
  const key = randomBytes(32);
  const iv = randomBytes(IV_BYTES);
  const body = await subtle.encrypt({ name: "AES-GCM", iv }, await importKey(key), bytes);
  return { key: key.toString("base64"), sealed: Buffer.concat([iv, Buffer.from(body)]) };
}

/** The file as it came. Rejects when the store does not have it, or it is not what was kept. */
export async function readRaw(files: FileStore, storageKey: string, key: string): Promise<Buffer> {
  const sealed = await buffer(await files.openRead(storageKey));
  const iv = sealed.subarray(0, IV_BYTES);
  return Buffer.from(
    await subtle.decrypt(
      { name: "AES-GCM", iv },
      await importKey(Buffer.from(key, "base64")),
      sealed.subarray(IV_BYTES),
    ),
  );
}
