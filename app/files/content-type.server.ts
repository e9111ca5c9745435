import type { FileHandle } from "node:fs/promises";
import { looksLikeDicom } from "./dicom/dicom-header.server";
import { type PictureContent, pictures } from "./pictures";

const otherTypes = {
  tiff: "image/tiff",
  dcm: "application/dicom",
  pdf: "application/pdf",
  rtf: "application/rtf",
  doc: "application/msword",
  xls: "application/vnd.ms-excel",
  docx: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  zip: "application/zip",
  xml: "application/xml",
  text: "text/csv",
} as const;

export type Content = PictureContent | keyof typeof otherTypes;

/** The media type of a content: never what the browser says. */
export const mediaTypeOf = (content: Content): string =>
  content in otherTypes ? otherTypes[content as keyof typeof otherTypes] : pictures[content as PictureContent].mime;

/** Readers accept a line before the PDF header, as scanners and mail programs write. */
const PDF_HEAD_BYTES = 1024;

const MAX_BMP_HEADER_BYTES = 255;

export const HEAD_BYTES = 64 * 1024;

/**
 * Recognises a file by content. @param head the first HEAD_BYTES, or all of it @returns the content; for unsupported
 * files their usual extension ("exe") if known
 */
export async function recognise(
  file: FileHandle,
  head: Buffer,
  size: number,
): Promise<{ content?: Content; foreign?: string }> {
  const signature = head.toString("latin1", 0, 16);
  // Some programs write a UTF-8 byte order mark before anything.
  const afterMark = signature.replace(/^\xef\xbb\xbf/, "");
  if (signature.startsWith("\xff\xd8\xff")) return { content: "jpg" };
  if (signature.startsWith("\x89PNG\r\n\x1a\n")) return { content: "png" };
  if (signature.startsWith("GIF87a") || signature.startsWith("GIF89a")) return { content: "gif" };
  if (head.subarray(0, PDF_HEAD_BYTES).includes("%PDF-")) return { content: "pdf" };
  if (afterMark.startsWith("{\\rtf")) return { content: "rtf" };
  if (/^(II[*+]\0|MM\0[*+])/.test(signature)) return looksLikeDicom(head) ? { content: "dcm" } : { content: "tiff" };
  if (signature.startsWith("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1")) return compoundFile(file, head, size);
  if (signature.startsWith("PK\x03\x04") || signature.startsWith("PK\x05\x06")) return zipContent(file, size);
  if (looksLikeDicom(head)) return { content: "dcm" };
  // Text beginning with "BM" has letters at the header size.
  if (signature.startsWith("BM") && head.length >= 18 && head.readUInt32LE(14) <= MAX_BMP_HEADER_BYTES)
    return { content: "bmp" };

  // Some audio files begin like UTF-16, so the library is not asked.
  const foreign = beginsAsUtf16(head) ? undefined : await foreignExtension(head);
  const text = foreign === undefined || foreign === "xml" ? readableText(head) : undefined;
  if (text === undefined) return foreign === undefined ? {} : { foreign };
  const root = rootElement(text);
  if (root === undefined) return { content: "text" };
  // Browsers execute these; no record is a web page or SVG.
  if (/^(html|svg|script|body|iframe|head)$/i.test(root))
    return { foreign: root.toLowerCase() === "svg" ? "svg" : "html" };
  return { content: "xml" };
}

async function foreignExtension(head: Buffer): Promise<string | undefined> {
  try {
    const { fileTypeFromBuffer } = await import("file-type");
    return (await fileTypeFromBuffer(head))?.ext;
  } catch {
    // A truncated head may end within what the library reads; the type is then unknown.
    return undefined;
  }
}

/** Word and Excel before 2007 are compound files whose directory tells them apart ([MS-CFB] 2.6). */
async function compoundFile(
  file: FileHandle,
  head: Buffer,
  size: number,
): Promise<{ content?: Content; foreign?: string }> {
  const names = await compoundFileNames(file, head, size);
  if (names.has("WordDocument")) return { content: "doc" };
  if (names.has("Workbook") || names.has("Book")) return { content: "xls" };
  if (names.has("EncryptedPackage")) return { foreign: "krypteret Office" };
  return names.has("PowerPoint Document") ? { foreign: "ppt" } : {};
}

const MAX_DIRECTORY_SECTORS = 64;

async function compoundFileNames(file: FileHandle, head: Buffer, size: number): Promise<Set<string>> {
  const names = new Set<string>();
  if (head.length < 512) return names;
  const shift = head.readUInt16LE(30);
  if (shift !== 9 && shift !== 12) return names;
  const sectorBytes = 2 ** shift;
  const readSector = async (sector: number): Promise<Buffer | undefined> => {
    const position = (sector + 1) * sectorBytes;
    if (position + sectorBytes > size + sectorBytes - 1) return undefined;
    const buffer = Buffer.alloc(sectorBytes);
    await file.read(buffer, 0, sectorBytes, position);
    return buffer;
  };

  let sector = head.readUInt32LE(48);
  for (let count = 0; count < MAX_DIRECTORY_SECTORS; count++) {
    const directory = await readSector(sector);
    if (directory === undefined) break;
    for (let at = 0; at + 128 <= sectorBytes; at += 128) {
      const nameBytes = directory.readUInt16LE(at + 64);
      if (nameBytes >= 2 && nameBytes <= 64) names.add(directory.toString("utf16le", at, at + nameBytes - 2));
    }
    // The header lists the first 109 allocation sectors, enough for 7 MB and every directory seen.
    const entriesPerSector = sectorBytes / 4;
    const tableIndex = Math.floor(sector / entriesPerSector);
    if (tableIndex >= 109) break;
    const table = await readSector(head.readUInt32LE(76 + tableIndex * 4));
    if (table === undefined) break;
    sector = table.readUInt32LE((sector % entriesPerSector) * 4);
  }
  return names;
}

/**
 * Word and Excel since 2007 are ZIPs recognised by names in the central directory, without unpacking. Files with macros
 * are another type.
 */
async function zipContent(file: FileHandle, size: number): Promise<{ content?: Content; foreign?: string }> {
  const names = await zipEntryNames(file, size);
  if (!names.has("[Content_Types].xml")) return { content: "zip" };
  const hasMacros = [...names].some((name) => /vbaProject\.bin$/i.test(name));
  if (names.has("word/document.xml") || [...names].some((name) => /^word\/document\d*\.xml$/.test(name)))
    return hasMacros ? { foreign: "docm" } : { content: "docx" };
  if (names.has("xl/workbook.xml") || names.has("xl/workbook.bin"))
    return hasMacros ? { foreign: "xlsm" } : { content: "xlsx" };
  return { content: "zip" };
}

const END_OF_DIRECTORY_BYTES = 22;
const MAX_COMMENT_BYTES = 65_535;
const MAX_DIRECTORY_BYTES = 1024 * 1024;

async function zipEntryNames(file: FileHandle, size: number): Promise<Set<string>> {
  const names = new Set<string>();
  if (size < END_OF_DIRECTORY_BYTES) return names;
  const tailBytes = Math.min(size, END_OF_DIRECTORY_BYTES + MAX_COMMENT_BYTES);
  const tail = Buffer.alloc(tailBytes);
  await file.read(tail, 0, tailBytes, size - tailBytes);
  const end = tail.lastIndexOf("PK\x05\x06", tail.length - END_OF_DIRECTORY_BYTES, "latin1");
  if (end < 0) return names;
  const directoryBytes = Math.min(tail.readUInt32LE(end + 12), MAX_DIRECTORY_BYTES, size);
  const directory = Buffer.alloc(directoryBytes);
  const { bytesRead } = await file.read(directory, 0, directoryBytes, tail.readUInt32LE(end + 16));
  let at = 0;
  while (at + 46 <= bytesRead && directory.readUInt32LE(at) === 0x02014b50) {
    const nameBytes = directory.readUInt16LE(at + 28);
    names.add(directory.toString("utf8", at + 46, Math.min(at + 46 + nameBytes, bytesRead)));
    at += 46 + nameBytes + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32);
  }
  return names;
}

export const beginsAsUtf16 = (bytes: Buffer): boolean => utf16Of(bytes) !== null;

function utf16Of(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  const mark = bytes.length < 2 ? 0 : bytes.readUInt16LE(0);
  return mark === 0xfeff ? "utf-16le" : mark === 0xfffe ? "utf-16be" : null;
}

function readableText(head: Buffer): string | undefined {
  const utf16 = utf16Of(head);
  const text = utf16 === null ? head.toString("latin1") : new TextDecoder(utf16).decode(head);
  // oxlint-disable-next-line no-control-regex -- looking for control characters is the point
  return /[\0-\x08\x0e-\x1f\x7f]/.test(text) ? undefined : text.replace(/^(\u00ef\u00bb\u00bf|\ufeff)/, "");
}

function rootElement(text: string): string | undefined {
  let rest = text.trimStart();
  for (;;) {
    const skipped = /^(<\?[^>]*\?>|<!--[\s\S]*?-->)\s*/.exec(rest);
    if (skipped === null) break;
    rest = rest.slice(skipped[0].length);
  }
  const doctype = /^<!doctype\s+([\w:.-]+)/i.exec(rest);
  const name = (doctype ?? /^<([\w:.-]+)/.exec(rest))?.[1];
  return name?.split(":").at(-1);
}
