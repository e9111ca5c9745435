import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";

/** Whether a JPEG or PNG is complete; the header alone does not tell. */
export async function hasPictureEnd(path: string, content: "jpg" | "png"): Promise<boolean> {
  const file = await open(path, "r");
  let pixelsAt: number | null;
  try {
    if (content === "png") return await reachesIend(file);
    pixelsAt = await startOfScan(file);
  } finally {
    await file.close();
  }
  return pixelsAt !== null && holdsEndOfImage(path, pixelsAt);
}

const SIGNATURE_BYTES = 8;

/** PNG chunks: length, name, content, checksum. */
async function reachesIend(file: FileHandle): Promise<boolean> {
  const chunk = Buffer.alloc(8);
  for (let at = SIGNATURE_BYTES; (await file.read(chunk, 0, 8, at)).bytesRead === 8; at += 12 + chunk.readUInt32BE(0))
    if (chunk.toString("latin1", 4) === "IEND") return true;
  return false;
}

/** Offset of the first JPEG scan, past segments that may contain a thumbnail with its own end. */
async function startOfScan(file: FileHandle): Promise<number | null> {
  const segment = Buffer.alloc(4);
  let at = 2;
  while ((await file.read(segment, 0, 4, at)).bytesRead === 4) {
    const [mark, name] = segment as unknown as [number, number];
    if (mark !== 0xff) return null;
    if (name === 0xda) return at;
    // 0xff is fill; TEM and restart markers have no length.
    if (name === 0xff) at += 1;
    else at += name === 0x01 || (name >= 0xd0 && name <= 0xd8) ? 2 : 2 + segment.readUInt16BE(2);
  }
  return null;
}

async function holdsEndOfImage(path: string, from: number): Promise<boolean> {
  let last = 0;
  for await (const chunk of createReadStream(path, {
    start: from,
    highWaterMark: 1024 * 1024,
  }) as AsyncIterable<Buffer>) {
    if ((last === 0xff && chunk[0] === 0xd9) || chunk.includes("\xff\xd9", 0, "latin1")) return true;
    last = chunk.at(-1) ?? 0;
  }
  return false;
}
