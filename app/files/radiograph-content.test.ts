import { open, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import sharp from "sharp";
import { describe, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { exe, fileContent, pdf, zipOf } from "../../tests/support/file-content";

const { folder, inspect, inspectAt } = fileContent();

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
    );
    expect(found).toMatchObject({ ok: true, mime, extension, sanitizedFileName: `OPG 48 Åse.${extension}` });
  });

  test("a drawn BMP and a drawn DICOM file are taken", async () => {
    expect(
      await inspect(await drawRadiograph({ type: 0, format: "bmp", seed: 1 }), "a.bmp", "radiograph"),
    ).toMatchObject({ ok: true, mime: "image/bmp" });
    const patient = { cpr: "251248-9996", firstName: "Søren", lastName: "Åkjær" };
    expect(
      await inspect(await drawRadiograph({ type: 4, format: "dcm", seed: 1, patient }), "a.dcm", "radiograph"),
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
    expect(await inspectAt(resolve("tests/files/dicom", `${name}.dcm`), `${name}.dcm`, "radiograph")).toMatchObject({
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

  test.each<[string, Uint8Array | string, string]>([
    ["virus.jpg", exe, "mismatch"],
    ["virus.dcm", exe, "mismatch"],
    ["side.jpg", "<html><script>alert(1)</script></html>", "mismatch"],
    ["drej.png", '<svg xmlns="http://www.w3.org/2000/svg"/>', "mismatch"],
    ["brev.png", pdf, "mismatch"],
    ["foto.jpg\u202Efdp.exe", exe, "type"],
    ["foto", exe, "type"],
    ["halv.jpg", Buffer.from([0xff, 0xd8, 0xff, 0xe0]), "damaged"],
    ["halv.png", Buffer.from("\x89PNG\r\n\x1a\n", "latin1"), "damaged"],
    ["halv.gif", "GIF89a/*<script>alert(1)</script>*/", "damaged"],
    ["halv.bmp", Buffer.concat([Buffer.from("BM"), Buffer.alloc(60)]), "damaged"],
    ["ingen.dcm", Buffer.concat([Buffer.alloc(128), Buffer.from("DICM")]), "damaged"],
    ["nul.jpg", "", "empty"],
  ])("%s is refused", async (name, content, reason) => {
    expect(await inspect(content, name, "radiograph")).toMatchObject({ ok: false, reason });
  });

  test("accepts a polyglot picture (also a page or an archive) as the picture it is", async () => {
    const jpg = await drawing.clone().jpeg().toBuffer();
    const both = Buffer.concat([jpg, Buffer.from("<script>alert(1)</script>"), zipOf(["evil.class"])]);
    expect(await inspect(both, "foto.jpg", "radiograph")).toMatchObject({ ok: true, mime: "image/jpeg" });
    expect(await inspect(both, "foto.html", "radiograph")).toMatchObject({ ok: false, reason: "type" });
    expect(await inspect(both, "foto.zip", "journal")).toMatchObject({ ok: false, reason: "mismatch" });
  });

  test("accepts many pixels and refuses absurdly many", async () => {
    const large = await sharp({
      create: { width: 9000, height: 6000, channels: 3, background: "#000" },
      limitInputPixels: false,
    })
      .png()
      .toBuffer();
    expect(await inspect(large, "stor.png", "radiograph")).toMatchObject({ ok: true });
    const bomb = Buffer.from(large);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect(await inspect(bomb, "bombe.png", "radiograph")).toMatchObject({ ok: false });
    expect(await inspect(bmpHeader(30_000, 30_000), "bombe.bmp", "radiograph")).toMatchObject({
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
