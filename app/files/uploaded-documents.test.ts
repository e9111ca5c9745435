import { readFile } from "node:fs/promises";
import { deflateRawSync } from "node:zlib";
import { buffer } from "node:stream/consumers";
import PDFDocument from "pdfkit";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { exe, fileContent, zipOf } from "../../tests/support/file-content";
import { makeZip } from "../../tests/support/make-zip";
import { aPdf } from "../../tests/support/pdf";
import { archiveTexts } from "./archive/archive-rules";
import type { FileKind } from "./file-rules";
import { chosenFileRefusal } from "./file-texts";

const { inspect } = fileContent();

async function printed(options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const doc = new PDFDocument(options);
  for (let page = 0; page < 5; page++) doc.addPage().text("Kære Åse. ".repeat(500));
  doc.end();
  return buffer(doc);
}

describe("a PDF that nobody can open", () => {
  const fields: FileKind[] = ["bill", "letter", "approval", "journal", "attachment"];
  test.each<[string, () => Promise<Buffer | string>, string, RegExp]>([
    ["with a password", () => printed({ userPassword: "hemmelig" }), "locked", /uden adgangskode/],
    ["without a page", async () => aPdf("", { pages: 0 }), "noPages", /har ingen sider/],
    ["of nine bytes", async () => "%PDF-1.4\n", "damaged", /Eksportér den igen/],
    ["cut in half", async () => halfOf(await printed()), "damaged", /Eksportér den igen/],
    ["cut near its end", async () => (await printed()).subarray(0, -600), "damaged", /Eksportér den igen/],
  ])("%s is refused in every field with what to do", async (_, make, reason, words) => {
    const content = await make();
    for (const kind of fields)
      expect(await inspect(content, "brev.pdf", kind)).toMatchObject({
        ok: false,
        reason,
        message: expect.stringMatching(words),
      });
  });

  test.each<[string, () => Promise<Buffer>]>([
    ["that only its owner may change", () => printed({ ownerPassword: "hemmelig" })],
    ["in landscape on US letter", () => printed({ size: "LETTER", layout: "landscape" })],
    ["behind lines of a scanner", async () => Buffer.concat([Buffer.from("\r\nReceived by scanner 12\r\n"), aPdf()])],
    ["filled up with zeros", async () => Buffer.concat([aPdf(), Buffer.alloc(200_000)])],
  ])("does not stop one %s", async (_, make) => {
    expect(await inspect(await make(), "brev.pdf", "letter")).toMatchObject({ ok: true, mime: "application/pdf" });
  });
});

const halfOf = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);

describe("a ZIP as a journal copy", () => {
  const text = Buffer.from("Kære Åse. ".repeat(500));
  const whole = makeZip([{ name: "journal.txt", bytes: text }]);

  test.each<[string, Buffer, string]>([
    ["cut in half", halfOf(whole), archiveTexts.damaged],
    ["with another sum", makeZip([{ name: "a.txt", bytes: text, claimedSum: 1 }]), archiveTexts.damaged],
    ["with another size", makeZip([{ name: "a.txt", bytes: text, claimedBytes: 9 }]), archiveTexts.damaged],
    ["with a password", makeZip([{ name: "a.txt", bytes: text, flags: 1 }]), archiveTexts.encrypted],
  ])("%s is refused in the words that images have", async (_, content, message) => {
    expect(await inspect(content, "journal.zip", "journal")).toMatchObject({ ok: false, message });
  });

  test("is taken whole, when only its program reads it or it is too big", async () => {
    const bomb = makeZip([{ name: "a.bin", bytes: Buffer.alloc(1) }]);
    expect(deflateRawSync(text).length).toBeLessThan(text.length);
    for (const content of [whole, bomb, makeZip([{ name: "a.txt", bytes: text, method: 12 }]), zipOf(["a.txt"])])
      expect(await inspect(content, "journal.zip", "journal")).toMatchObject({ ok: true });
  });
});

describe("a picture", () => {
  const drawn = sharp({
    create: {
      width: 900,
      height: 900,
      channels: 3,
      noise: { type: "gaussian", mean: 128, sigma: 40 },
      background: "#000",
    },
  });

  test.each(["jpg", "png"] as const)("of the kind %s that was cut is refused, and taken whole", async (kind) => {
    const whole = await drawn
      .clone()
      .toFormat(kind === "jpg" ? "jpeg" : kind)
      .toBuffer();
    expect(await inspect(whole, `foto.${kind}`, "radiograph")).toMatchObject({ ok: true });
    expect(await inspect(whole.subarray(0, 2048), `foto.${kind}`, "radiograph")).toMatchObject({ reason: "damaged" });
    expect(await inspect(halfOf(whole), `foto.${kind}`, "radiograph")).toMatchObject({ reason: "damaged" });
  });

  test("that was cut is refused though it holds a small picture of its own", async () => {
    const small = await drawn.clone().resize(60).jpeg().toBuffer();
    const whole = await drawn.clone().jpeg().toBuffer();
    const thumbnail = Buffer.concat([Buffer.from([0xff, 0xe2]), lengthOf(small), small]);
    const cut = Buffer.concat([whole.subarray(0, 2), thumbnail, whole.subarray(2, 20_000)]);
    expect(await inspect(cut, "foto.jpg", "radiograph")).toMatchObject({ reason: "damaged" });
    const more = Buffer.concat([whole.subarray(0, 2), thumbnail, whole.subarray(2), Buffer.from("after the end")]);
    expect(await inspect(more, "foto.jpg", "radiograph")).toMatchObject({ ok: true });
  });

  const lengthOf = (segment: Buffer) => {
    const length = Buffer.alloc(2);
    length.writeUInt16BE(segment.length + 2);
    return length;
  };

  test("of an iPhone is refused with how it becomes a JPG", async () => {
    const heic = Buffer.concat([Buffer.from("\0\0\0\x18ftypheic\0\0\0\0mif1heic", "latin1"), Buffer.alloc(500)]);
    expect(await inspect(heic, "IMG_0001.jpg", "radiograph")).toMatchObject({
      message: expect.stringContaining("»Mest kompatibel«"),
    });
    expect(chosenFileRefusal("radiograph", { name: "IMG_0001.HEIC", size: 9 })).toContain("»Mest kompatibel«");
  });

  test.each<[string, { bits?: number; compression?: number; header?: number; reserved?: number }]>([
    ["2 bits", { bits: 2 }],
    ["64 bits", { bits: 64 }],
    ["a JPEG within", { bits: 0, compression: 4 }],
    ["a PNG within", { bits: 0, compression: 5 }],
    ["a short header of OS/2", { header: 16 }],
    ["a hot spot of OS/2", { reserved: 7 }],
  ])("as a BMP with %s is taken", async (_, { bits = 24, compression = 0, header = 40, reserved = 0 }) => {
    const bmp = Buffer.alloc(500);
    bmp.write("BM");
    bmp.writeUInt32LE(bmp.length, 2);
    bmp.writeUInt32LE(reserved, 6);
    bmp.writeUInt32LE(100, 10);
    bmp.writeUInt32LE(header, 14);
    bmp.writeInt32LE(4, 18);
    bmp.writeInt32LE(4, 22);
    bmp.writeUInt16LE(bits, 28);
    bmp.writeUInt32LE(compression, 30);
    expect(await inspect(bmp, "gammel.bmp", "radiograph")).toMatchObject({ ok: true, mime: "image/bmp" });
  });
});

test("a web page named .xls is refused with how Excel saves it", async () => {
  const page = "<html><table><tr><td>1</td></tr></table></html>";
  expect(await inspect(page, "liste.xls", "journal")).toMatchObject({
    message: expect.stringContaining("Excel-projektmappe (.xlsx)"),
  });
});

test.each(["IM000001", "1.2.840.113619.2.55.3"])(
  "the DICOM file %s is refused with how it can be sent",
  async (name) => {
    const sample = await readFile("tests/files/dicom/CT_small.dcm");
    expect(chosenFileRefusal("radiograph", { name, size: 9 })).toContain("pak hele mappen i en ZIP-fil");
    expect(await inspect(sample, name, "radiograph")).toMatchObject({
      message: expect.stringContaining("pak hele mappen i en ZIP-fil"),
    });
    expect(await inspect(exe, "setup.exe", "radiograph")).toMatchObject({
      message: expect.not.stringContaining("pak hele"),
    });
  },
);
