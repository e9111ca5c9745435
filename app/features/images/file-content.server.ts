import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { open } from "node:fs/promises";
import sharp from "sharp";
import { BmpError, readBmpHeader } from "./bmp";
import { beginsAsUtf16, type Content, HEAD_BYTES, mediaTypes, recognise } from "./content-type.server";
import { checkDicomPixels, DicomError, readDicomHeader } from "./dicom-file.server";
import { extensionOf, fileKinds, refusalText, takesFileName } from "./file-rules";
import type { FileKind, KnownExtension, RadiographType, RefusalReason } from "./file-rules";
import { sanitiseFileName } from "./file-name";
import type { NoPreviewReason } from "./preview-result";

/** What is kept about the header of a DICOM file. Null where the file does not say. `studyDate` is YYYY-MM-DD. */
export interface DicomFacts {
  patientId: string | null;
  patientName: string | null;
  studyDate: string | null;
  modality: string | null;
  transferSyntax: string;
  rows: number | null;
  columns: number | null;
  frames: number;
}

export interface AcceptedFile {
  ok: true;
  /** From a closed list, by content; serve with this and `X-Content-Type-Options: nosniff`. */
  mime: string;
  /** As in the name, lower case, without the dot; agrees with the content. */
  extension: KnownExtension;
  sizeBytes: number;
  /** Of the original bytes, 64 hexadecimal digits. */
  sha256: string;
  sanitizedFileName: string;
  /** Why no preview can be made, when that is known already. */
  noPreview?: NoPreviewReason;
  dicom?: DicomFacts;
}

export interface RefusedFile {
  ok: false;
  reason: RefusalReason;
  /** Danish, for the person who chose the file. */
  message: string;
  sanitizedFileName: string;
}

export type Inspected = AcceptedFile | RefusedFile;

/** Pictures up to this many pixels get a preview (design/platform.md). */
export const MOST_PREVIEW_PIXELS = 50e6;

/** Beyond this no camera or scanner goes: the file is made to fill the memory of whoever opens it. */
export const MOST_PIXELS = 400e6;

const contentOfExtension: Readonly<Record<KnownExtension, readonly Content[]>> = {
  jpg: ["jpg"],
  jpeg: ["jpg"],
  gif: ["gif"],
  png: ["png"],
  bmp: ["bmp"],
  dcm: ["dcm"],
  pdf: ["pdf"],
  doc: ["doc"],
  docx: ["docx"],
  rtf: ["rtf"],
  tiff: ["tiff"],
  tif: ["tiff"],
  xml: ["xml"],
  xls: ["xls"],
  xlsx: ["xlsx"],
  csv: ["text"],
  // A Word or Excel file is a ZIP as well.
  zip: ["zip", "docx", "xlsx"],
};

class Refusal extends Error {
  constructor(
    readonly reason: RefusalReason,
    readonly details: { found?: string; megapixels?: number } = {},
  ) {
    super(reason);
  }
}

/**
 * Reads what an uploaded file truly is, and whether the field takes it (specification 2 §5; design/decisions.md, Files).
 * The content must agree with the name. The file is streamed: a DICOM of 1 GB costs a few megabytes of memory.
 * @param path of the uploaded file; @param fileName as the browser sent it, never trusted
 * @returns facts about an accepted file, or a refusal with a Danish message; hostile files are refused, not thrown
 * @throws only the file system's own errors (the file is missing or cannot be read)
 */
export async function inspectFile(
  path: string,
  fileName: string,
  kind: FileKind,
  options: { radiographType?: RadiographType } = {},
): Promise<Inspected> {
  const sanitizedFileName = sanitiseFileName(fileName);
  const extension = extensionOf(sanitizedFileName);
  try {
    return { ok: true, sanitizedFileName, ...(await inspect(path, sanitizedFileName, kind, options.radiographType)) };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const message = refusalText(error.reason, kind, {
      ...error.details,
      ...(extension === undefined ? {} : { extension }),
      ...(options.radiographType === undefined ? {} : { radiographType: options.radiographType }),
    });
    return { ok: false, reason: error.reason, message, sanitizedFileName };
  }
}

async function inspect(
  path: string,
  name: string,
  kind: FileKind,
  radiographType: RadiographType | undefined,
): Promise<Omit<AcceptedFile, "ok" | "sanitizedFileName">> {
  const extension = extensionOf(name);
  if (!takesFileName(kind, name, radiographType)) {
    throw new Refusal(kind === "radiograph" && (extension === "tif" || extension === "tiff") ? "tiff" : "type");
  }
  const known = extension as KnownExtension;
  const { content, sizeBytes } = await recogniseFile(path, kind, known);
  const facts = await checkContent(path, content, sizeBytes);
  const { sha256, hasControlCharacters } = await readThrough(path);
  if (content === "text" && hasControlCharacters) throw new Refusal("mismatch", { found: "ikke ren tekst" });
  return { mime: mediaTypes[known === "zip" ? "zip" : content], extension: known, sizeBytes, sha256, ...facts };
}

async function recogniseFile(path: string, kind: FileKind, extension: KnownExtension): Promise<{ content: Content; sizeBytes: number }> {
  const file = await open(path, "r");
  try {
    const { size } = await file.stat();
    if (size === 0) throw new Refusal("empty");
    if (size > fileKinds[kind].maxBytes) throw new Refusal("tooLarge");
    const head = Buffer.alloc(Math.min(size, HEAD_BYTES));
    const { bytesRead } = await file.read(head, 0, head.length, 0);
    const { content, foreign } = await recognise(file, head.subarray(0, bytesRead), size);
    if (content !== undefined && contentOfExtension[extension].includes(content)) return { content, sizeBytes: size };
    if (kind === "radiograph" && content === "tiff") throw new Refusal("tiff");
    const found = content === "text" ? "en tekstfil" : (content ?? foreign) === undefined ? undefined : `en ${content ?? foreign}-fil`;
    throw new Refusal("mismatch", found === undefined ? {} : { found });
  } finally {
    await file.close();
  }
}

async function checkContent(path: string, content: Content, sizeBytes: number): Promise<Pick<AcceptedFile, "dicom" | "noPreview">> {
  switch (content) {
    case "jpg":
    case "png":
    case "gif":
      return checkPicture(path);
    case "bmp":
      return checkBmp(path, sizeBytes);
    case "dcm":
      return checkDicom(path);
    default:
      return {};
  }
}

async function checkPicture(path: string): Promise<Pick<AcceptedFile, "noPreview">> {
  let width: number;
  let height: number;
  try {
    // Only the header is read here, so the limit on pixels is ours to apply.
    ({ width, height } = await sharp(path, { limitInputPixels: false }).metadata());
  } catch {
    throw new Refusal("damaged");
  }
  return checkPixels(width, height);
}

async function checkBmp(path: string, sizeBytes: number): Promise<Pick<AcceptedFile, "noPreview">> {
  const file = await open(path, "r");
  try {
    const head = Buffer.alloc(Math.min(sizeBytes, 2048));
    await file.read(head, 0, head.length, 0);
    const { width, height } = readBmpHeader(head, sizeBytes);
    return checkPixels(width, height);
  } catch (error) {
    if (!(error instanceof BmpError)) throw error;
    if (error.reason === "unsupported") return { noPreview: "unsupported" };
    throw new Refusal("damaged");
  } finally {
    await file.close();
  }
}

async function checkDicom(path: string): Promise<Pick<AcceptedFile, "dicom" | "noPreview">> {
  try {
    const header = await readDicomHeader(path);
    await checkDicomPixels(path, header);
    const { patientId, patientName, studyDate, modality, transferSyntax, rows, columns, frames } = header;
    return {
      dicom: { patientId, patientName, studyDate, modality, transferSyntax, rows, columns, frames },
      ...(header.pixels === undefined || rows === null || columns === null ? { noPreview: "unsupported" as const } : checkPixels(columns, rows)),
    };
  } catch (error) {
    if (!(error instanceof DicomError)) throw error;
    throw new Refusal("damaged");
  }
}

function checkPixels(width: number, height: number): Pick<AcceptedFile, "noPreview"> {
  const pixels = width * height;
  if (pixels > MOST_PIXELS) throw new Refusal("pixels", { megapixels: Math.round(pixels / 1e6) });
  return pixels > MOST_PREVIEW_PIXELS ? { noPreview: "tooManyPixels" } : {};
}

/** One pass over the whole file: its digest, and whether bytes occur that no text holds (UTF-16 with its mark aside). */
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
