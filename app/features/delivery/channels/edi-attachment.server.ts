import type { AttachedFile } from "~/gateways/sending/port";
import type { EdiContent } from "../port";

/** Base64 encodes three bytes at a time; only the last piece may differ. */
const GROUP = 3;

/**
 * Encodes a file as Base64 in its envelope as a stream. Rejects if the store has another number of bytes than
 * announced.
 */
export async function encodeAttachment(
  { before, after }: NonNullable<EdiContent["attachment"]>,
  { sizeBytes, open }: AttachedFile,
): Promise<Buffer> {
  const base64 = Math.ceil(sizeBytes / GROUP) * 4;
  const encoded = Buffer.alloc(before.length + base64 + after.length);
  let at = encoded.write(before, 0, "latin1");
  let rest: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const chunk of (await open()) as AsyncIterable<Buffer>) {
    read += chunk.length;
    if (read > sizeBytes) break;
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % GROUP);
    at += encoded.write(bytes.toString("base64", 0, whole), at, "latin1");
    rest = bytes.subarray(whole);
  }
  if (read !== sizeBytes) throw new Error(`the store has ${read} bytes of a file of ${sizeBytes}`);
  at += encoded.write(rest.toString("base64"), at, "latin1");
  encoded.write(after, at, "latin1");
  return encoded;
}
