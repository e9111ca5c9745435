import { deflateRawSync, deflateSync } from "node:zlib";
import sharp from "sharp";
import { aDicomFile, element, EXPLICIT_LITTLE_ENDIAN, part10 } from "../../factories/dicom";
import { makeZip, type ZipPart } from "../make-zip";
import { aPdf } from "../pdf";
import { type Hostile, MB } from "./hostile";
import { bmp, changed, gifOf, nestedSequences, noise, png, pngWith } from "./made-files";
import type { SizesPortal } from "./sizes-portal";

/** Pictures, ZIPs and documents added to a referral. @param part share of the full size: 1 in `npm run soak -- --fuzz 10000` */
export function hostileUploads(portal: SizesPortal, id: number, part: number): Hostile[] {
  const some = (most: number) => Math.max(1, Math.round(most * part));
  const side = Math.round(7000 * Math.sqrt(part));
  let sent = 0;
  const one = (
    kind: string,
    make: () => Buffer | Promise<Buffer>,
    send: (bytes: Buffer) => ReturnType<Hostile["send"]>,
  ) => {
    let made: Promise<Buffer> | undefined;
    return { kind, name: kind, send: async () => send(await (made ??= Promise.resolve(make()))) };
  };
  /** A referral with all the images it may have refuses more before it reads them, and nothing would be measured. */
  const makeRoom = () =>
    portal.inDatabase((database) =>
      database
        .prepare("update referral_file set deleted_at = ? where referral_id = ? and deleted_at is null")
        .run([new Date().toISOString(), id]),
    );
  const addRadiographs = (files: { name: string; bytes: Buffer }[], type: number) => {
    makeRoom();
    return portal.sendFiles(
      "tandlaege",
      `/management/overview/${id}/roentgenbilleder`,
      { intent: "addRadiographs", referralId: id, formKey: `billeder-${++sent}`, radiographType: type },
      files.map((file) => ({ field: "radiographs", ...file })),
    );
  };
  /** In each size of the viewer. */
  const addAndDraw = async (name: string, bytes: Buffer) => {
    const answer = await addRadiographs([{ name, bytes: changed(bytes) }], name.endsWith(".dcm") ? 4 : 1);
    const { fileId } = portal.inDatabase((database) =>
      database.prepare("select max(id) as fileId from referral_file").get(),
    ) as { fileId: number };
    for (const size of ["thumb", "view", "full"])
      await portal.send(`/management/overview/${id}/files/${fileId}/preview?size=${size}`, { as: "tandlaege" });
    return answer;
  };
  const picture = (what: string, name: string, make: () => Buffer | Promise<Buffer>) =>
    one(`picture: ${what}`, make, (bytes) => addAndDraw(name, bytes));
  const zip = (what: string, make: () => ZipPart[]) =>
    one(
      `ZIP of images: ${what}`,
      () => makeZip(make()),
      (bytes) => addRadiographs([{ name: "arkiv.zip", bytes }], 1),
    );
  const attachment = (what: string, name: string, make: () => Buffer) =>
    one(`attachment: ${what}`, make, (bytes) =>
      portal.callWithFiles("tandlaege", `/api/Visits/${id}/messages`, { Text: "Se filen." }, [
        { field: "attachedFiles", name, bytes },
      ]),
    );
  const entries = (count: number, entry: (at: number) => ZipPart) =>
    Array.from({ length: some(count) }, (_, at) => entry(at));
  const square = () => sharp({ create: { width: side, height: side, channels: 3, background: "#888" } });
  const small = () =>
    sharp({ create: { width: 8, height: 8, channels: 3, background: "#888" } })
      .jpeg()
      .toBuffer();

  return [
    picture("a PNG of 7,000 × 7,000", "stor.png", () => square().png().toBuffer()),
    picture("a progressive JPEG of 7,000 × 7,000", "stor.jpg", async () =>
      sharp(await noise(side), { raw: { width: side, height: side, channels: 1 } })
        .jpeg({ progressive: true })
        .toBuffer(),
    ),
    picture("a PNG that claims 60,000 × 60,000", "bombe.png", () => png(60_000, 60_000, Buffer.alloc(1000))),
    picture("a PNG of 7,000 × 7,000 of 16 bits and four channels", "dyb.png", () =>
      png(side, side, Buffer.alloc(side * (side * 8 + 1)), 16, 6),
    ),
    picture("a PNG with eight texts of 55 MB, packed", "tekst.png", () =>
      pngWith("zTXt", Buffer.concat([Buffer.from("Comment\0\0"), deflateSync(Buffer.alloc(some(55 * MB), "a"))])),
    ),
    picture("a GIF of 60,000 frames", "film.gif", () => gifOf(some(60_000))),
    picture("a BMP of 7,000 × 7,000", "stor.bmp", () => bmp(side)),
    picture("a DICOM of 7,000 × 7,000", "stor.dcm", () =>
      aDicomFile({ rows: side, columns: side, pixels: Buffer.alloc(side * side * 2, 1) }),
    ),
    picture("a DICOM of 100,000 elements", "mange.dcm", () =>
      part10(
        EXPLICIT_LITTLE_ENDIAN,
        Buffer.concat(
          Array.from({ length: some(100_000) }, (_, at) =>
            element(0x2901 + (at >> 15) * 2, 0x1000 + (at & 0x7fff), "LO", "x"),
          ),
        ),
      ),
    ),
    picture("a DICOM of 5,000 sequences in each other", "dyb.dcm", () =>
      part10(EXPLICIT_LITTLE_ENDIAN, nestedSequences(some(5000))),
    ),
    picture("a DICOM that unpacks to 200 MB", "pakket.dcm", () =>
      part10("1.2.840.10008.1.2.1.99", deflateRawSync(Buffer.alloc(some(200 * MB)))),
    ),
    one("40 small pictures with names of 1,024 bytes", small, (bytes) =>
      addRadiographs(
        Array.from({ length: 40 }, (_, at) => ({ name: `${"ø".repeat(505)}${at}.jpg`, bytes: changed(bytes) })),
        1,
      ),
    ),
    one("5,000 files in a form", small, (bytes) =>
      addRadiographs(
        Array.from({ length: some(5000) }, (_, at) => ({ name: `${at}.jpg`, bytes })),
        1,
      ),
    ),
    one("ZIP of images: 1,000 pictures", small, (bytes) =>
      addRadiographs(
        [
          {
            name: "arkiv.zip",
            bytes: makeZip(entries(1000, (at) => ({ name: `${at}.jpg`, bytes: changed(bytes), method: 0 }))),
          },
        ],
        1,
      ),
    ),
    zip("1,000 files that are no pictures", () =>
      entries(1000, (at) => ({ name: `${at}.jpg`, bytes: Buffer.from("x") })),
    ),
    zip("1,000 names of 60,000 bytes", () =>
      entries(1000, (at) => ({ name: `${"a/".repeat(30_000)}${at}.jpg`, method: 0 })),
    ),
    zip("900 MB of nothing", () =>
      Array.from({ length: 9 }, (_, at) => ({ name: `${at}.jpg`, bytes: Buffer.alloc(some(100 * MB)) })),
    ),
    zip("60,000 entries", () => entries(60_000, (at) => ({ name: `${at}.jpg`, method: 0 }))),
    zip("1,000 archives", () => entries(1000, (at) => ({ name: `${at}.zip`, method: 0 }))),
    attachment("a ZIP of 60,000 entries", "a.zip", () =>
      makeZip(entries(60_000, (at) => ({ name: String(at), bytes: Buffer.from("x") }))),
    ),
    attachment("a ZIP of 900 MB of nothing", "b.zip", () =>
      makeZip(Array.from({ length: 9 }, (_, at) => ({ name: String(at), bytes: Buffer.alloc(some(100 * MB)) }))),
    ),
    attachment("a PDF of 60,000 pages", "lang.pdf", () => aPdf("", { pages: some(60_000) })),
    attachment("a PDF of 100,000 lists in each other", "dyb.pdf", () =>
      Buffer.from(
        `%PDF-1.7\n1 0 obj\n<</Type/Catalog/Pages 2 0 R/A ${"[".repeat(some(100_000))}${"]".repeat(some(100_000))}>>\nendobj\n%%EOF`,
      ),
    ),
    attachment("a PDF of 90 MB without an end", "stor.pdf", () =>
      Buffer.concat([Buffer.from("%PDF-1.7\n"), Buffer.alloc(some(90 * MB), "1 0 obj\n")]),
    ),
    attachment("an XML of 90 MB", "stor.xml", () =>
      Buffer.concat([Buffer.from("<?xml version='1.0'?>"), Buffer.alloc(some(90 * MB), "<a>")]),
    ),
    attachment("an RTF of 90 MB", "stor.rtf", () =>
      Buffer.concat([Buffer.from("{\\rtf1"), Buffer.alloc(some(90 * MB), "{")]),
    ),
  ];
}
