import { createHash } from "node:crypto";
import { readFile, truncate, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { compoundOf, docx, exe, fileContent, pdf, xlsx, zipOf } from "../../tests/support/file-content";
import { makeZip } from "../../tests/support/make-zip";
import { inspectFile } from "./file-content.server";
import type { FileKind } from "./file-rules";
import { TooManyReading } from "./reading/reader-job";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);
const { folder, inspect, inspectAt } = fileContent();

describe("journals and approvals", () => {
  test("a PDF of somebody whose files already wait to be read is refused in words", async () => {
    const path = join(folder, "en-til.pdf");
    await writeFile(path, pdf);
    const busy = () => Promise.reject(new TooManyReading());
    expect(await inspectFile(path, "en til.pdf", "journal", { readDicom: busy, checkPdf: busy })).toMatchObject({
      ok: false,
      message: "Portalen er i gang med at læse mange af dine filer. Vælg filen igen om et minut.",
    });
  });

  test("a ZIP is tried for 5,000 entries, and taken without the rest being looked at", async () => {
    const good = Array.from({ length: 5000 }, (_, at) => ({ name: String(at), method: 0 }));
    const broken = { name: "sidste", claimedSum: 1, method: 0 };
    expect(await inspect(makeZip([...good, broken]), "alt.zip", "journal")).toMatchObject({ ok: true });
    expect(await inspect(makeZip([...good.slice(1), broken]), "alt.zip", "journal")).toMatchObject({
      reason: "archive",
    });
  });

  test.each<[string, Uint8Array | string, string]>([
    ["Journal.pdf", pdf, "application/pdf"],
    ["brev.DOCX", docx, "application/vnd.openxmlformats-officedocument.wordprocessingml.document"],
    ["liste.xlsx", xlsx, "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"],
    ["gammel.doc", compoundOf(["Root Entry", "WordDocument"]), "application/msword"],
    ["gammel.xls", compoundOf(["Root Entry", "Workbook"]), "application/vnd.ms-excel"],
    ["med mærke.pdf", `\ufeff${pdf}`, "application/pdf"],
    ["notat.rtf", "{\\rtf1\\ansi h\\'e6}", "application/rtf"],
    ["fax.tif", Buffer.from("II*\0\x08\0\0\0\0\0", "latin1"), "image/tiff"],
    ["fax.tiff", Buffer.from("MM\0*\0\0\0\x08\0\0", "latin1"), "image/tiff"],
    ["data.xml", '<?xml version="1.0"?>\n<!-- x --><Emessage/>', "application/xml"],
    ["data.xml", Buffer.from("\ufeff<a>æ</a>", "utf16le"), "application/xml"],
    ["liste.csv", "navn;cpr\r\nSøren;251248-9996\r\n", "text/csv"],
    ["liste.csv", Buffer.from("navn;by\r\nSøren;Ærø\r\n", "latin1"), "text/csv"],
    ["alt.zip", zipOf(["a.txt", "../../slip.txt"]), "application/zip"],
    ["word.zip", docx, "application/zip"],
  ])("knows what %s is by its content", async (name, content, mime) => {
    const found = await inspect(content, name, "journal");
    expect(found).toMatchObject({ ok: true, mime, sizeBytes: Buffer.from(content as string).length });
    if (found.ok) expect(found.sha256).toBe(createHash("sha256").update(content).digest("hex"));
  });

  test.each<[string, Uint8Array | string, FileKind, string]>([
    ["faktura.pdf", exe, "journal", "mismatch"],
    ["faktura.pdf", exe, "approval", "mismatch"],
    ["installer.exe", exe, "journal", "type"],
    ["brev.docx", zipOf(["a.txt"]), "journal", "mismatch"],
    ["brev.docx", xlsx, "approval", "mismatch"],
    ["brev.doc", compoundOf(["Root Entry", "Workbook"]), "journal", "mismatch"],
    ["liste.xls", compoundOf(["Root Entry", "EncryptedPackage"]), "journal", "mismatch"],
    ["side.xml", "<!DOCTYPE html><html><script>alert(1)</script></html>", "journal", "mismatch"],
    ["tegning.xml", '<?xml version="1.0"?><svg onload="alert(1)"/>', "journal", "mismatch"],
    ["skjult.xml", '<x:html xmlns:x="http://www.w3.org/1999/xhtml"/>', "journal", "mismatch"],
    ["tal.csv", Buffer.from("a;b\0;c"), "journal", "mismatch"],
    ["tal.csv", `${"a;b\n".repeat(40_000)}\0`, "journal", "mismatch"],
    ["tal.csv", pdf, "journal", "mismatch"],
    ["scan.tiff", pdf, "approval", "type"],
    ["tom.pdf", "", "journal", "empty"],
    ["foto.jpg", "", "journal", "type"],
  ])("%s is refused", async (name, content, kind, reason) => {
    const found = await inspect(content, name, kind);
    expect(found).toMatchObject({ ok: false, reason });
    if (!found.ok) expect(found.message).toMatch(/^\p{Lu}.*\.$/u);
  });

  test.each(["journal", "approval"] as const)(
    "RTF named .doc is taken for what it is in a field of %s, and its name says so",
    async (kind) => {
      expect(await inspect("{\\rtf1\\ansi h\\'e6}", "Journal 48.DOC", kind)).toMatchObject({
        ok: true,
        mime: "application/rtf",
        extension: "rtf",
        sanitizedFileName: "Journal 48 (RTF-fil).rtf",
      });
    },
  );

  test.each<[string, Uint8Array, FileKind, string]>([
    [
      "billede.dcm",
      Buffer.alloc(300),
      "radiograph",
      "Filen er ikke en gyldig DICOM-fil, selv om navnet ender på .dcm.",
    ],
    [
      "brev.doc",
      compoundOf(["Root Entry", "Something"]),
      "journal",
      "Filen er ikke et Word-dokument, selv om navnet ender på .doc.",
    ],
    [
      "brev.docx",
      compoundOf(["Root Entry"]),
      "approval",
      "Filen er ikke et Word-dokument, selv om navnet ender på .docx.",
    ],
  ])("refuses %s with a text that says what it is not", async (name, content, kind, words) => {
    expect(await inspect(content, name, kind)).toMatchObject({
      ok: false,
      reason: "mismatch",
      message: expect.stringContaining(words),
    });
  });

  test("refuses a file one byte over the limit without reading it", async () => {
    const path = join(folder, "large.pdf");
    await writeFile(path, pdf);
    await truncate(path, 25 * 1024 * 1024 + 1);
    expect(await inspectAt(path, "large.pdf", "approval")).toMatchObject({ ok: false, reason: "tooLarge" });
    expect(await inspectAt(path, "large.pdf", "journal")).toMatchObject({ ok: true });
  });
});

test(
  "accepts or refuses any content under any name, and never throws",
  async () => {
    const starts = [
      "PK\x03\x04",
      "PK\x05\x06",
      "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
      "%PDF-",
      "\xff\xd8\xff",
      "\x89PNG\r\n\x1a\n",
      "GIF89a",
      "BM",
      "II*\0",
      "{\\rtf",
      "<",
      "\ufeff",
      "",
    ];
    const path = join(folder, "any");
    const wholes = [
      docx,
      compoundOf(["Root Entry", "WordDocument"]),
      await readFile(resolve("tests/files/dicom/SC_rgb_rle.dcm")),
    ];
    const content = fc.oneof(
      fc
        .tuple(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 1200 }))
        .map(([start, rest]) => Buffer.concat([Buffer.from(start, "latin1"), rest])),
      fc
        .tuple(fc.constantFrom(...wholes), fc.array(fc.tuple(fc.nat(1500), fc.nat(255)), { maxLength: 8 }))
        .map(([whole, changes]) => {
          const bytes = Buffer.from(whole);
          for (const [at, value] of changes) if (at < bytes.length) bytes[at] = value;
          return bytes;
        }),
    );
    const extension = fc.constantFrom(
      "jpg",
      "png",
      "gif",
      "bmp",
      "dcm",
      "pdf",
      "doc",
      "docx",
      "xls",
      "xlsx",
      "zip",
      "csv",
      "xml",
      "rtf",
      "tif",
      "exe",
    );
    await fc.assert(
      fc.asyncProperty(
        content,
        fc.string({ unit: "binary", maxLength: 20 }),
        extension,
        fc.constantFrom<FileKind>("radiograph", "journal", "approval"),
        async (bytes, stem, ending, kind) => {
          await writeFile(path, bytes);
          const found = await inspectAt(path, `${stem}.${ending}`, kind);
          expect(found.sanitizedFileName).not.toBe("");
          if (!found.ok) expect(found.message).not.toBe("");
        },
      ),
      { numRuns },
    );
  },
  Math.max(20_000, numRuns * 20),
);
