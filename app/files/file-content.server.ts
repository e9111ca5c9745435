import { TooManyReading } from "./reading/reader-job";
import { createReadStream } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { createHash } from "node:crypto";
import { BmpError, readBmpHeader } from "./dicom/bmp";
import { beginsAsUtf16, type Content, HEAD_BYTES, mediaTypeOf, recognise } from "./content-type.server";
import type { DicomAnswer, DicomFacts } from "./dicom/dicom-facts.server";
import { archiveFault } from "./archive/read-archive.server";
import {
  extensionOf,
  type FileKind,
  fileKinds,
  type KnownExtension,
  type RefusalReason,
  takesFileName,
} from "./file-rules";
import { exifDay } from "./exposure-day.server";
import { refusalText } from "./file-texts";
import type { PdfCheck } from "./pdf/pdf-check.server";
import { sanitiseFileName } from "./file-name";
import { eachPictureExtension, pictureOf } from "./pictures";

/** Whether a JPEG or PNG is complete; the header alone does not tell. */
async function hasPictureEnd(path: string, content: "jpg" | "png"): Promise<boolean> {
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

interface AcceptedFile {
  ok: true;
  mime: string;
  /** Lower case without dot; matches the content. */
  extension: KnownExtension;
  sizeBytes: number;
  /** SHA-256 of the original bytes, 64 hex digits. */
  sha256: string;
  sanitizedFileName: string;
  dicom?: DicomFacts;
  /** By its EXIF; a DICOM file says it in its facts. */
  takenOn?: string | null;
}

interface RefusedFile {
  ok: false;
  reason: RefusalReason;
  message: string;
  sanitizedFileName: string;
}

export interface FileReaders {
  readDicom(path: string): Promise<DicomAnswer>;
  checkPdf(path: string): Promise<PdfCheck>;
}

type Inspected = AcceptedFile | RefusedFile;

const MAX_PIXELS = 400e6;

const contentOfExtension: Readonly<Record<KnownExtension, readonly Content[]>> = {
  ...eachPictureExtension((content) => [content]),
  dcm: ["dcm"],
  pdf: ["pdf"],
  doc: ["doc", "rtf"],
  docx: ["docx"],
  rtf: ["rtf"],
  tiff: ["tiff"],
  tif: ["tiff"],
  xml: ["xml"],
  xls: ["xls"],
  xlsx: ["xlsx"],
  csv: ["text"],
  zip: ["zip", "docx", "xlsx"],
};

class FileRefusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly details: { found?: string; megapixels?: number } = {},
  ) {
    super(reason);
  }
}

/**
 * Determines what an uploaded file is and whether the field accepts it. Content must match the name. Streams, so that 1
 * GB of DICOM needs a few megabytes. @param path of the uploaded file; @param fileName as sent, not trusted @returns
 * facts, or a refusal with a Danish message; hostile files are refused, not thrown @throws file system errors only
 */
export async function inspectFile(
  path: string,
  fileName: string,
  kind: FileKind,
  readers: FileReaders,
): Promise<Inspected> {
  const sanitizedFileName = sanitiseFileName(fileName);
  const extension = extensionOf(sanitizedFileName);
  try {
    return { ok: true, ...(await inspect(path, sanitizedFileName, kind, readers)) };
  } catch (error) {
    const refusal = error instanceof TooManyReading ? new FileRefusal("busy") : error;
    if (!(refusal instanceof FileRefusal)) throw error;
    const message = refusalText(refusal.reason, kind, { ...refusal.details, extension });
    return { ok: false, reason: refusal.reason, message, sanitizedFileName };
  }
}

async function inspect(
  path: string,
  name: string,
  kind: FileKind,
  readers: FileReaders,
): Promise<Omit<AcceptedFile, "ok">> {
  const extension = extensionOf(name);
  if (!takesFileName(kind, name)) {
    throw new FileRefusal(kind === "radiograph" && (extension === "tif" || extension === "tiff") ? "tiff" : "type");
  }
  const known = extension as KnownExtension;
  const { content, sizeBytes } = await recogniseFile(path, kind, known);
  const facts = await checkContent(path, content, sizeBytes, readers);
  const { sha256, hasControlCharacters } = await readThrough(path);
  if (content === "text" && hasControlCharacters) throw new FileRefusal("mismatch", { found: "ikke ren tekst" });
  const found = { mime: mediaTypeOf(known === "zip" ? "zip" : content), sizeBytes, sha256, ...facts };
  return known === "doc" && content === "rtf"
    ? { ...found, extension: "rtf", sanitizedFileName: rtfName(name) }
    : { ...found, extension: known, sanitizedFileName: name };
}

const rtfName = (name: string) => sanitiseFileName(name.replace(/\.doc$/i, " (RTF-fil).rtf"));

async function recogniseFile(
  path: string,
  kind: FileKind,
  extension: KnownExtension,
): Promise<{ content: Content; sizeBytes: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size === 0) throw new FileRefusal("empty");
    if (size > fileKinds[kind].maxBytes) throw new FileRefusal("tooLarge");
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const { content, foreign } = await recognise(file, head.subarray(0, bytesRead), size);
    if (content !== undefined && contentOfExtension[extension].includes(content)) return { content, sizeBytes: size };
    if (kind === "radiograph" && content === "tiff") throw new FileRefusal("tiff");
    const found =
      content === "text"
        ? "en tekstfil"
        : (content ?? foreign) === undefined
          ? undefined
          : `en ${content ?? foreign}-fil`;
    throw new FileRefusal("mismatch", { found });
  } finally {
    await file.close();
  }
}

async function checkContent(
  path: string,
  content: Content,
  sizeBytes: number,
  { readDicom, checkPdf }: FileReaders,
): Promise<Pick<AcceptedFile, "dicom" | "takenOn">> {
  const picture = pictureOf(content);
  const takenOn = picture?.readBy === "sharp" ? await checkPicture(path) : null;
  if ((content === "jpg" || content === "png") && !(await hasPictureEnd(path, content)))
    throw new FileRefusal("damaged");
  if (picture?.readBy === "bmp") await checkBmp(path, sizeBytes);
  if (content === "pdf") checkDocument(await checkPdf(path));
  if (content === "zip" || content === "docx" || content === "xlsx") await checkZip(path);
  return content === "dcm" ? { dicom: await checkDicom(path, readDicom) } : { takenOn };
}

/** Returns the day on which it was taken; null if it does not say. */
async function checkPicture(path: string): Promise<string | null> {
  const { default: sharp } = await import("sharp");
  let width: number;
  let height: number;
  let exif: Buffer | undefined;
  try {
    ({ width, height, exif } = await sharp(path, { limitInputPixels: false }).metadata());
  } catch {
    throw new FileRefusal("damaged");
  }
  checkPixels(width, height);
  return exifDay(exif);
}

function checkDocument(check: PdfCheck): void {
  if (check === "locked") throw new FileRefusal("locked");
  if (check === "empty") throw new FileRefusal("noPages");
  if (check === "damaged") throw new FileRefusal("damaged");
}

async function checkZip(path: string): Promise<void> {
  const fault = await archiveFault(path);
  if (fault !== null) throw new FileRefusal("archive", { found: fault });
}

async function checkBmp(path: string, sizeBytes: number): Promise<void> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(Math.min(sizeBytes, 2048));
    await file.read(head, 0, head.length, 0);
    const { width, height } = readBmpHeader(head, sizeBytes);
    checkPixels(width, height);
  } catch (error) {
    if (!(error instanceof BmpError)) throw error;
    if (error.reason !== "unsupported") throw new FileRefusal("damaged");
  } finally {
    await file.close();
  }
}

async function checkDicom(path: string, readDicom: FileReaders["readDicom"]): Promise<DicomFacts> {
  const answer = await readDicom(path);
  if ("failed" in answer) throw new FileRefusal("damaged");
  checkPixels(answer.facts.columns ?? 0, answer.facts.rows ?? 0);
  return answer.facts;
}

function checkPixels(width: number, height: number): void {
  const pixels = width * height;
  if (pixels > MAX_PIXELS) throw new FileRefusal("pixels", { megapixels: Math.round(pixels / 1e6) });
}

/** Computes the digest and detects bytes that no text has (UTF-16 with a byte order mark excepted). */
async function readThrough(path: string): Promise<{ sha256: string; hasControlCharacters: boolean }> {
  const hash = createHash("sha256");
  let hasControlCharacters = false;
  let isUtf16: boolean | undefined;
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Buffer>) {
    hash.update(chunk);
    isUtf16 ??= beginsAsUtf16(chunk);
    hasControlCharacters ||= !isUtf16 && chunk.includes(0);
  }
  return { sha256: hash.digest("hex"), hasControlCharacters };
}
