// @module-tag matrix
// @module-tag dicom3tools
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import sharp from "sharp";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { RadiographType } from "~/files/file-rules";
import type { CaptureHeader } from "./capture-header.server";
import { writeSecondaryCapture } from "./secondary-capture.server";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), "capture-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const header = (radiographType: RadiographType): CaptureHeader => ({
  names: { sopInstance: "2.25.1", study: "2.25.2", series: "2.25.3" },
  patient: { id: "2512489996", firstName: "Søren", lastName: "Åkjær", birthDate: "1948-12-25", sex: "F" },
  accessionNumber: "123",
  study: { date: "2026-11-23", time: "13:05", description: "Henvisning 123" },
  capturedOn: "2026-11-23",
  radiographType,
  seriesDescription: "Intraoralt",
  instanceNumber: 1,
});

const noise = (channels: 1 | 3, isDeep = false) => {
  const raw = { width: 61, height: 43, channels };
  const bytes = Buffer.from(Array.from({ length: 61 * 43 * channels }, (_, n) => (n * 37) % 251));
  const picture = sharp(bytes, { raw });
  return isDeep ? picture.toColourspace("grey16") : channels === 1 ? picture.toColourspace("b-w") : picture;
};

const pictures: [string, string, boolean, () => Promise<Buffer>][] = [
  ["a JPEG in colour that keeps its bytes", "image/jpeg", true, () => noise(3).jpeg().toBuffer()],
  ["a grey JPEG that keeps its bytes", "image/jpeg", true, () => noise(1).jpeg().toBuffer()],
  ["a JPEG that is written uncompressed", "image/jpeg", false, () => noise(3).jpeg().toBuffer()],
  ["a PNG in colour", "image/png", false, () => noise(3).png().toBuffer()],
  ["a grey PNG of 16 bits", "image/png", false, () => noise(1, true).png().toBuffer()],
  ["a GIF", "image/gif", false, () => noise(3).gif().toBuffer()],
];

test.each(pictures)("%s is a Secondary Capture without an error", async (_, mime, preservesJpeg, draw) => {
  const [sourcePath, outputPath] = [path.join(folder, "picture"), path.join(folder, "picture.dcm")];
  await writeFile(sourcePath, await draw());
  for (const type of [0, 1, 2, 3, 4] as const) {
    await writeSecondaryCapture({ sourcePath, outputPath, mime, preservesJpeg }, header(type), sharp(sourcePath));
    const { stdout, stderr, error } = spawnSync("dciodvfy", [outputPath], { encoding: "utf8" });
    expect(error).toBeUndefined();
    const output = `${stdout}${stderr}`.split("\n");
    expect(output.filter((line) => line.startsWith("Error"))).toEqual([]);
    expect(output).toContain("SCImage");
  }
});
