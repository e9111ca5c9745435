import { readFileSync } from "node:fs";
import { crc32, deflateRawSync, deflateSync, gzipSync } from "node:zlib";
import sharp from "sharp";
import { makeZip, type ZipPart } from "../support/make-zip";

/** Hostile files and the expected result of each. */

const latin = (text: string) => Buffer.from(text, "latin1");
const exe = Buffer.concat([latin("MZ\x90\0\x03\0\0\0"), Buffer.alloc(500)]);
const ct = readFileSync("tests/files/dicom/CT_small.dcm");

/** A PNG whose header declares a huge picture. */
const pixelBomb = (() => {
  const head = Buffer.alloc(33);
  latin("\x89PNG\r\n\x1a\n").copy(head);
  head.writeUInt32BE(13, 8);
  head.write("IHDR", 12);
  head.writeUInt32BE(60_000, 16);
  head.writeUInt32BE(60_000, 20);
  head.set([8, 2, 0, 0, 0], 24);
  head.writeUInt32BE(crc32(head.subarray(12, 29)), 29);
  const rows = deflateSync(Buffer.alloc(1000));
  const data = Buffer.concat([Buffer.alloc(4), latin("IDAT"), rows, Buffer.alloc(4)]);
  data.writeUInt32BE(rows.length, 0);
  data.writeUInt32BE(crc32(data.subarray(4, -4)), data.length - 4);
  return Buffer.concat([head, data, latin("\0\0\0\0IEND\xae\x42\x60\x82")]);
})();

/** A deflated DICOM header that unpacks to 200 MB. */
const dicomBomb = (() => {
  const syntax = "1.2.840.10008.1.2.1.99";
  const element = Buffer.alloc(8 + syntax.length);
  element.set([0x02, 0x00, 0x10, 0x00, 0x55, 0x49]);
  element.writeUInt16LE(syntax.length, 6);
  element.write(syntax, 8);
  const length = Buffer.from([0x02, 0x00, 0x00, 0x00, 0x55, 0x4c, 4, 0, element.length, 0, 0, 0]);
  return Buffer.concat([
    Buffer.alloc(128),
    latin("DICM"),
    length,
    element,
    deflateRawSync(Buffer.alloc(200 * 1024 * 1024)),
  ]);
})();

const zipOf = (...parts: ZipPart[]) => makeZip(parts.map((part) => ({ method: 0, ...part })));

let seed = 0;
export async function jpeg(): Promise<Buffer> {
  seed += 1;
  return sharp({ create: { width: 40 + seed, height: 30, channels: 3, background: { r: seed * 5, g: 90, b: 30 } } })
    .jpeg()
    .toBuffer();
}

type Outcome = { refused: RegExp } | { accepted: string };
export type Field = "radiographs" | "journals" | "approval";
export type Hostile = [
  what: string,
  name: string,
  bytes: Buffer | (() => Promise<Buffer>),
  outcome: Outcome,
  field?: Field,
  type?: number,
];

const notThisType = /Denne filtype er ikke godkendt/;
const damaged = /Filen er beskadiget/;

export const hostileFiles: Hostile[] = [
  ["a program named as a picture", "billede.jpg", exe, { refused: /Indholdet er en exe-fil/ }],
  [
    "a web page named as a picture",
    "side.jpg",
    latin("<!doctype html><script>alert(1)</script>"),
    { refused: notThisType },
  ],
  [
    "a drawing with script named as a picture",
    "tegning.png",
    latin('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'),
    { refused: notThisType },
  ],
  ["a TIFF named as a picture", "scan.jpg", latin("II*\0\x08\0\0\0\0\0"), { refused: /TIFF-billeder kan ikke vises/ }],
  ["a PDF named as a picture", "brev.png", latin("%PDF-1.7\n%%EOF"), { refused: /Indholdet er en pdf-fil/ }],
  ["nothing at all", "tom.jpg", Buffer.alloc(0), { refused: /Filen er tom/ }],
  ["one byte", "en.jpg", Buffer.from([0xff]), { refused: notThisType }],
  ["a picture of three bytes", "kort.jpg", Buffer.from([0xff, 0xd8, 0xff]), { refused: damaged }],
  ["a picture that no memory holds", "bombe.png", pixelBomb, { refused: /Billedet er for stort til at kunne åbnes/ }],
  [
    "a picture with an archive behind it",
    "polyglot.jpg",
    async () => Buffer.concat([await jpeg(), zipOf({ name: "../../ond.sh" })]),
    { accepted: "polyglot.jpg" },
  ],
  [
    "a picture with a page inside",
    "polyglot2.jpg",
    async () => Buffer.concat([await jpeg(), latin("<script>alert(1)</script>")]),
    { accepted: "polyglot2.jpg" },
  ],
  [
    "a BMP that promises more than it has",
    "lang.bmp",
    latin("BM\xff\xff\xff\x7f\0\0\0\0\x36\0\0\0\x28\0\0\0\xff\xff\0\0\xff\xff\0\0\x01\0\x18\0"),
    { refused: damaged },
  ],
  ["a DICOM that breaks off", "halv.dcm", ct.subarray(0, 5000), { refused: damaged }, "radiographs", 4],
  [
    "a DICOM of its preamble alone",
    "tomt.dcm",
    Buffer.concat([Buffer.alloc(128), latin("DICM")]),
    { refused: damaged },
    "radiographs",
    4,
  ],
  ["a DICOM header that unpacks without end", "bombe.dcm", dicomBomb, { accepted: "bombe.dcm" }, "radiographs", 4],
  ["a picture named as DICOM", "billede.dcm", jpeg, { refused: notThisType }, "radiographs", 4],
  ["a name that climbs", "../../../etc/klatrer.jpg", jpeg, { accepted: "klatrer.jpg" }],
  ["a name that climbs backwards", "..\\..\\windows.jpg", jpeg, { accepted: "windows.jpg" }],
  ["a name that Windows keeps for itself", "CON.jpg", jpeg, { accepted: "_CON.jpg" }],
  ["a name of 300 characters", `${"å".repeat(296)}.jpg`, jpeg, { accepted: `${"å".repeat(116)}.jpg` }],
  ["a name that reads backwards", "rtl\u202egpj.exe", exe, { refused: notThisType }],
  ["a name with markup", "<img src=x onerror=alert(1)>.jpg", jpeg, { accepted: "_img src=x onerror=alert(1)_.jpg" }],
  ["two extensions", "billede.jpg.exe", exe, { refused: notThisType }],
  [
    "an archive that climbs: it is never unpacked",
    "slip.zip",
    zipOf({ name: "../../../etc/passwd", bytes: latin("x") }),
    { accepted: "slip.zip" },
    "journals",
  ],
  [
    "an archive that says it is 4 GB",
    "bombe.zip",
    zipOf({ name: "a", bytes: gzipSync(Buffer.alloc(10 * 1024 * 1024)), claimedBytes: 0xfffffff0 }),
    { refused: /bombe\.zip/ },
    "journals",
  ],
  [
    "gzip named as a ZIP",
    "pakket.zip",
    gzipSync(Buffer.alloc(20 * 1024 * 1024)),
    { refused: /Denne filtype er ikke godkendt/ },
    "journals",
  ],
  [
    "Word with macros",
    "makro.docx",
    zipOf({ name: "[Content_Types].xml" }, { name: "word/document.xml" }, { name: "word/vbaProject.bin" }),
    { refused: /Indholdet er en docm-fil/ },
    "approval",
  ],
  ["a program named as a letter", "brev.pdf", exe, { refused: /Indholdet er en exe-fil/ }, "approval"],
  [
    "a page named as XML",
    "side.xml",
    latin("<!DOCTYPE html><html><script>alert(1)</script></html>"),
    { refused: notThisType },
    "journals",
  ],
];

/** No browser sends a NUL in a form's header, and such forms are refused; upload metadata may contain anything. */
export const nulName: Hostile = ["a name with a NUL in it", "a\0b.jpg", jpeg, { accepted: "ab.jpg" }];

export const bytesOf = (bytes: Hostile[2]) => (typeof bytes === "function" ? bytes() : Promise.resolve(bytes));
