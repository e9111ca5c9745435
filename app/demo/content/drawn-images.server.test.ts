import dicomParser from "dicom-parser";
import sharp from "sharp";
import { expect, test } from "vitest";
import { decodeBmp } from "~/files/dicom/bmp";
import { drawRadiograph } from "./drawn-images.server";

test.each([0, 1, 2, 3] as const)(
  "type %i is a picture with something on it, the same for the same seed",
  async (type) => {
    const first = await drawRadiograph({ type, format: "jpg", seed: 4 });
    expect(first.length).toBeGreaterThan(20_000);
    expect(first.length).toBeLessThan(250_000);
    const { channels } = await sharp(first).stats();
    expect(channels[0]?.stdev ?? 0).toBeGreaterThan(20);
    expect(Buffer.compare(first, await drawRadiograph({ type, format: "jpg", seed: 4 }))).toBe(0);
    expect(Buffer.compare(first, await drawRadiograph({ type, format: "jpg", seed: 5 }))).not.toBe(0);
  },
);

test.each(["png", "gif"] as const)("%s", async (format) => {
  const drawn = await drawRadiograph({ type: 0, format, seed: 2 });
  expect((await sharp(drawn).metadata()).format).toBe(format);
  expect(drawn.length).toBeLessThan(250_000);
});

test("BMP", async () => {
  expect(decodeBmp(await drawRadiograph({ type: 0, format: "bmp", seed: 2 }))).toMatchObject({
    width: 360,
    height: 270,
  });
});

test("a slice has 16 bits, an intra-oral DICOM 8; both name the patient in UTF-8", async () => {
  const patient = { cpr: "251248-9996", firstName: "Søren", lastName: "Åkjær" };
  for (const [type, bits] of [
    [4, 16],
    [0, 8],
  ] as const) {
    const drawn = await drawRadiograph({ type, format: "dcm", seed: 9, patient, studyDate: "2026-10-02" });
    const dataSet = dicomParser.parseDicom(new Uint8Array(drawn));
    expect(dataSet.uint16("x00280100")).toBe(bits);
    expect(dataSet.string("x00080020")).toBe("20261002");
    expect(Buffer.from(dataSet.string("x00100010") ?? "", "latin1").toString()).toBe("Åkjær^Søren");
    expect(dataSet.elements.x7fe00010?.length).toBe(
      (dataSet.uint16("x00280010") ?? 0) * (dataSet.uint16("x00280011") ?? 0) * (bits / 8),
    );
    expect(dataSet.string("x0020000d")).toMatch(/^2\.25\.\d{1,39}$/);
  }
});
