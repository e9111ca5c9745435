import { createHash } from "node:crypto";
import { mkdtemp, open, readFile, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import fc from "fast-check";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawRadiograph } from "~db/demo/content/drawn-images.server";
import { readDicomFacts } from "./dicom/dicom-facts.server";
import { inspectFile } from "./file-content.server";
import type { FileKind, RadiographType } from "./file-rules";

const numRuns = Number(process.env.FUZZ_RUNS ?? 200);
let folder: string;
let written = 0;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "content-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function inspect(content: Uint8Array | string, name: string, kind: FileKind, radiographType?: RadiographType) {
  const path = join(folder, String(++written));
  await writeFile(path, content);
  return inspectAt(path, name, kind, radiographType === undefined ? {} : { radiographType });
}

const inspectAt = (path: string, name: string, kind: FileKind, more: { radiographType?: RadiographType } = {}) =>
  inspectFile(path, name, kind, { readDicom: readDicomFacts, ...more });

/** A ZIP with stored, empty entries: enough for what the recognition reads. */
function zipOf(names: string[]): Buffer {
  const directory: Buffer[] = [];
  const entries: Buffer[] = [];
  let offset = 0;
  for (const name of names) {
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(name.length, 26);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE(name.length, 28);
    central.writeUInt32LE(offset, 42);
    entries.push(local, Buffer.from(name));
    directory.push(central, Buffer.from(name));
    offset += 30 + name.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(names.length, 8);
  end.writeUInt16LE(names.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...entries, central, end]);
}

/** A compound file of three sectors: header, table, directory with these names. */
function compoundOf(names: string[]): Buffer {
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

const docx = zipOf(["[Content_Types].xml", "word/document.xml"]);
const xlsx = zipOf(["[Content_Types].xml", "xl/workbook.xml"]);
const exe = Buffer.concat([Buffer.from("MZ\x90\0\x03\0\0\0", "latin1"), Buffer.alloc(500)]);
const pdf = "%PDF-1.7\n1 0 obj\n<<>>\nendobj\n%%EOF";

describe("journals and approvals", () => {
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
  ])("%s is %s", async (name, content, mime) => {
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

describe("X-rays", () => {
  const drawing = sharp({ create: { width: 40, height: 30, channels: 3, background: "#777" } });

  test.each([
    ["jpg", "image/jpeg"],
    ["jpeg", "image/jpeg"],
    ["png", "image/png"],
    ["gif", "image/gif"],
  ] as const)("%s", async (extension, mime) => {
    const found = await inspect(
      await drawing
        .clone()
        .toFormat(extension === "jpg" ? "jpeg" : extension)
        .toBuffer(),
      `OPG 48 Åse.${extension}`,
      "radiograph",
      2,
    );
    expect(found).toMatchObject({ ok: true, mime, extension, sanitizedFileName: `OPG 48 Åse.${extension}` });
  });

  test("a drawn BMP and a drawn DICOM file are taken", async () => {
    expect(
      await inspect(await drawRadiograph({ type: 0, format: "bmp", seed: 1 }), "a.bmp", "radiograph", 0),
    ).toMatchObject({ ok: true, mime: "image/bmp" });
    const patient = { cpr: "251248-9996", firstName: "Søren", lastName: "Åkjær" };
    expect(
      await inspect(await drawRadiograph({ type: 4, format: "dcm", seed: 1, patient }), "a.dcm", "radiograph", 4),
    ).toMatchObject({
      ok: true,
      dicom: {
        patientName: "Søren Åkjær",
        patientId: "2512489996",
        studyDate: "2026-11-18",
        rows: 256,
        columns: 256,
        frames: 1,
      },
    });
  });

  test.each([
    "CT_small",
    "JPEG-lossy",
    "JPEG2000",
    "MR_small_RLE",
    "SC_rgb_jpeg_gdcm",
    "SC_rgb_rle",
    "examples_ybr_color",
  ])("%s.dcm is taken", async (name) => {
    expect(
      await inspectAt(resolve("tests/files/dicom", `${name}.dcm`), `${name}.dcm`, "radiograph", { radiographType: 4 }),
    ).toMatchObject({
      ok: true,
      mime: "application/dicom",
      dicom: { transferSyntax: expect.stringMatching(/^1\.2\.840\.10008\.1\.2/) as string },
    });
  });

  test.each([
    ["MR_truncated", "damaged"],
    ["badVR", "damaged"],
    ["no_meta", "mismatch"],
  ])("%s.dcm is refused as %s", async (name, reason) => {
    expect(await inspectAt(resolve("tests/files/dicom", `${name}.dcm`), `${name}.dcm`, "radiograph")).toMatchObject({
      ok: false,
      reason,
    });
  });

  test("refuses TIFF with a text of its own, by name or by content", async () => {
    const tiff = Buffer.from("II*\0\x08\0\0\0\0\0", "latin1");
    for (const name of ["scan.tiff", "scan.tif", "scan.jpg"]) {
      const found = await inspect(tiff, name, "radiograph");
      expect(found).toMatchObject({ ok: false, reason: "tiff", message: expect.stringContaining("TIFF") as string });
    }
  });

  test.each<[string, Uint8Array | string, RadiographType | undefined, string]>([
    ["virus.jpg", exe, 0, "mismatch"],
    ["virus.dcm", exe, 4, "mismatch"],
    ["side.jpg", "<html><script>alert(1)</script></html>", 0, "mismatch"],
    ["drej.png", '<svg xmlns="http://www.w3.org/2000/svg"/>', 0, "mismatch"],
    ["brev.png", pdf, 1, "mismatch"],
    ["cbct.dcm", exe, 2, "type"],
    ["foto.jpg", exe, 4, "type"],
    ["foto.jpg\u202Efdp.exe", exe, 1, "type"],
    ["foto", exe, 1, "type"],
    ["halv.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), 1, "damaged"],
    ["halv.png", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), 1, "damaged"],
    ["halv.gif", "GIF89a/*<script>alert(1)</script>*/", 1, "damaged"],
    ["halv.bmp", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)]), 1, "damaged"],
    ["ingen.dcm", Buffer.concat([Buffer.alloc(128), Buffer.from("DICM")]), 4, "damaged"],
    ["nul.jpg", "", 1, "empty"],
  ])("%s is refused", async (name, content, type, reason) => {
    expect(await inspect(content, name, "radiograph", type)).toMatchObject({ ok: false, reason });
  });

  test("accepts a polyglot picture (also a page or an archive) as the picture it is", async () => {
    const jpg = await drawing.clone().jpeg().toBuffer();
    const both = Buffer.concat([jpg, Buffer.from("<script>alert(1)</script>"), zipOf(["evil.class"])]);
    expect(await inspect(both, "foto.jpg", "radiograph", 1)).toMatchObject({ ok: true, mime: "image/jpeg" });
    expect(await inspect(both, "foto.html", "radiograph", 1)).toMatchObject({ ok: false, reason: "type" });
    expect(await inspect(both, "foto.zip", "journal")).toMatchObject({ ok: false, reason: "mismatch" });
  });

  test("accepts many pixels and refuses absurdly many", async () => {
    const large = await sharp({
      create: { width: 9000, height: 6000, channels: 3, background: "#000" },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    expect(await inspect(large, "stor.png", "radiograph", 1)).toMatchObject({ ok: true });
    const bomb = Buffer.from(large);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect(await inspect(bomb, "bombe.png", "radiograph", 1)).toMatchObject({ ok: false });
    expect(await inspect(bmpHeader(30_000, 30_000), "bombe.bmp", "radiograph", 1)).toMatchObject({
      ok: false,
      reason: "damaged",
    });
  });

  test("a large DICOM is streamed", async () => {
    const path = join(folder, "volume.dcm");
    await writeFile(path, await drawRadiograph({ type: 4, format: "dcm", seed: 2 }));
    const file = await open(path, "r+");
    await file.truncate(600 * 1024 * 1024);
    await file.close();
    const before = process.memoryUsage().rss;
    expect(await inspectAt(path, "volume.dcm", "radiograph")).toMatchObject({ ok: true, sizeBytes: 629_145_600 });
    expect(process.memoryUsage().rss - before).toBeLessThan(60e6);
    await rm(path);
  });
});

function bmpHeader(width: number, height: number): Buffer {
  const bytes = Buffer.alloc(200);
  bytes.write("BM", "latin1");
  bytes.writeUInt32LE(54, 10);
  bytes.writeUInt32LE(40, 14);
  bytes.writeInt32LE(width, 18);
  bytes.writeInt32LE(height, 22);
  bytes.writeUInt16LE(24, 28);
  return bytes;
}

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
