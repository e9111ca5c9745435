import sharp from "sharp";
import { expect, test } from "vitest";
import { guessType } from "./guess-type";

const drawn = async (width: number, height: number, format: "jpeg" | "png" | "gif", exif = {}) =>
  new Blob([
    new Uint8Array(
      await sharp({ create: { width, height, channels: 3, background: "#345" } })
        .withExif(exif)
        .toFormat(format)
        .toBuffer(),
    ),
  ]);

test.each(["jpeg", "png", "gif"] as const)("guesses a panorama from the shape of a %s", async (format) => {
  expect(await guessType("a.jpg", await drawn(170, 100, format))).toBe(2);
  expect(await guessType("a.jpg", await drawn(169, 100, format))).toBe(0);
  expect(await guessType("a.jpg", await drawn(100, 170, format))).toBe(0);
});

test("guesses a photo from the lens of a camera, whatever its shape", async () => {
  const camera = { IFD0: { Make: "Canon" }, IFD2: { FNumber: "28/10" } };
  expect(await guessType("a.jpg", await drawn(300, 100, "jpeg", camera))).toBe(1);
  expect(await guessType("a.jpg", await drawn(100, 100, "jpeg", { IFD0: { Make: "Sensor" } }))).toBe(0);
});

test("a DICOM file is one, and what cannot be read is intraoral", async () => {
  expect(await guessType("a.dcm", new Blob(["DICM"]))).toBe(4);
  expect(await guessType("a.jpg", new Blob(["\u00ff"]))).toBe(0);
  expect(await guessType("a.jpg", new Blob([new Uint8Array([0xff, 0xd8, 0xff, 0xe0, 0, 4])]))).toBe(0);
});
