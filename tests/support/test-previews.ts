import { createHash } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, afterEach } from "vitest";
import { createPreviews, type PreviewOptions, type PreviewRequest } from "~/files/previews/preview.server";
import { createReaders, type ReaderOptions, type Readers } from "~/files/reading/readers.server";
import { readerProgram } from "./reader-program";

export const samples = resolve("tests/files/dicom");
const files: PreviewOptions["files"] = { withLocalCopy: (path, work) => work(path) };

export async function request(path: string, mime: string, more: Partial<PreviewRequest> = {}): Promise<PreviewRequest> {
  const sha256 = createHash("sha256")
    .update(await readFile(path))
    .digest("hex");
  return { storageKey: path, sha256, mime, size: "view", requestedBy: "person 1", ...more };
}

export const dicom = (name: string, more: Partial<PreviewRequest> = {}) =>
  request(join(samples, name), "application/dicom", more);

/** A folder and previews for the tests of one file, closed after each test. */
export function testPreviews() {
  const folder = mkdtempSync(join(tmpdir(), "previews-"));
  let readers: Readers | undefined;
  afterEach(() => readers?.close());
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function open({
    cacheDir = join(folder, `cache-${Math.random()}`),
    ...options
  }: Partial<ReaderOptions> & { cacheDir?: string } = {}) {
    readers = createReaders({ programPath: readerProgram, ...options });
    return Object.assign(createPreviews({ readers, cacheDir, files }), { close: readers.close });
  }

  return { folder, files, open };
}
