import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { readDicomFacts } from "~/files/dicom/dicom-facts.server";
import { inspectFile } from "~/files/file-content.server";
import type { FileKind } from "~/files/file-rules";
import { checkPdf } from "~/files/pdf/pdf-check.server";
import { makeZip } from "./make-zip";
import { aPdf } from "./pdf";

/** A folder for the files of the tests of one file, and the portal's verdict on their content. */
export function fileContent() {
  const folder = mkdtempSync(join(tmpdir(), "content-"));
  let written = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const inspectAt = (path: string, name: string, kind: FileKind) =>
    inspectFile(path, name, kind, { readDicom: readDicomFacts, checkPdf });
  async function inspect(content: Uint8Array | string, name: string, kind: FileKind) {
    const path = join(folder, String(++written));
    await writeFile(path, content);
    return inspectAt(path, name, kind);
  }

  return { folder, inspect, inspectAt };
}

/** A ZIP of empty stored files, enough for recognition. */
export const zipOf = (names: string[]) => makeZip(names.map((name) => ({ name, method: 0 })));

/** A compound file of three sectors: header, table, and directory with these names. */
export function compoundOf(names: string[]): Buffer {
  const file = Buffer.alloc(512 * 3);
  Buffer.from("d0cf11e0a1b11ae1", "hex").copy(file);
  file.writeUInt16LE(9, 30);
  file.writeUInt32LE(1, 48);
  file.fill(0xff, 76, 512);
  file.writeUInt32LE(0, 76);
  file.fill(0xff, 512, 1024);
  file.writeUInt32LE(0xfffffffe, 512 + 4);
  names.forEach((name, index) => {
    file.write(name, 1024 + index * 128, "utf16le");
    file.writeUInt16LE(name.length * 2 + 2, 1024 + index * 128 + 64);
  });
  return file;
}

export const docx = zipOf(["[Content_Types].xml", "word/document.xml"]);
export const xlsx = zipOf(["[Content_Types].xml", "xl/workbook.xml"]);
export const exe = Buffer.concat([Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"), Buffer.alloc(500)]);
export const pdf = aPdf().toString("latin1");
