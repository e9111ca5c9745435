import fc from "fast-check";
import sharp from "sharp";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { describe, expect, test } from "vitest";
import type { Person } from "~/access/actor";
import { exifDay } from "~/files/exposure-day.server";
import { uploadRadiograph } from "../../../../tests/factories/radiographs";
import { openReferralPortal } from "../../../../tests/support/portals/open-referral-portal";
import { forEachDatabase, type TestPortal } from "../../../../tests/support/test-portal";
import { setRadiographType } from "./change-radiographs.server";
import { readUploadDialog } from "./read-images.server";

let shade = 0;
const picture = (taken?: string) =>
  sharp({ create: { width: 40, height: 30, channels: 3, background: { r: (shade += 1), g: 9, b: 9 } } })
    .withExif(
      taken === undefined ? {} : { IFD0: { DateTime: "2026:11:30 10:00:00" }, IFD2: { DateTimeOriginal: taken } },
    )
    .jpeg()
    .toBuffer();
const exifOf = async (taken?: string) => (await sharp(await picture(taken)).metadata()).exif;

describe("the day that a picture says in its EXIF", () => {
  test.each([
    ["2026:03:12 10:11:12", "2026-03-12"],
    ["0000:00:00 00:00:00", null],
    ["2026:02:30 10:11:12", null],
    ["i går", null],
    [undefined, null],
  ])("%s is %s", async (taken, day) => {
    expect(exifDay(await exifOf(taken))).toBe(day);
  });

  test("is none in a block that is cut, or points outside itself", async () => {
    const whole = (await exifOf("2026:03:12 10:11:12"))!;
    const days = new Set(Array.from(whole, (_, length) => exifDay(whole.subarray(0, length))));
    expect([...days].every((day) => day === null || day === "2026-03-12")).toBe(true);
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.nat(255), (at, byte) => {
        const changed = Buffer.from(whole);
        changed[at] = byte;
        expect(exifDay(changed)).toSatisfy((day) => day === null || /^\d{4}-\d\d-\d\d$/.test(String(day)));
      }),
    );
  });
});

forEachDatabase("the day of exposure", { mariadb: "matrix" }, (dialect) => {
  let portal: TestPortal;
  let dentist: Person;
  let stranger: Person;
  let secretary: Person;
  let referralId: number;
  const { open } = openReferralPortal(dialect, (given) => {
    ({ portal, dentist, stranger, secretary, referralId } = given);
  });

  async function add(bytes: Buffer): Promise<number> {
    await uploadRadiograph(portal, dentist, referralId, "48.jpg", { bytes, type: 0 });
    return (await open()).images.shown[0]!.id;
  }
  const shown = async () => (await open()).images.shown[0]!.exposure;
  const day = (fileId: number, takenOn: string, who = dentist) =>
    portal.as(who, setRadiographType, { referralId, fileId, asksTakenOn: "on", takenOn });

  test("is the file's own where it says one, and cannot be typed over", async () => {
    const fileId = await add(await picture("2026:03:12 10:11:12"));
    expect(await shown()).toMatch(/^optaget 12\.03\.2026, \d måneder før$/);
    expect((await portal.as(dentist, readUploadDialog, { referralId })).images[0]).toMatchObject({
      takenOn: "2026-03-12",
      saysTakenOn: true,
    });
    await day(fileId, "01.01.2026");
    expect(await shown()).toContain("12.03.2026");
  });

  test("is unknown where the file says one in the future or before 1900", async () => {
    for (const taken of ["2099:01:01 10:00:00", "1899:12:31 10:00:00"]) {
      await add(await picture(taken));
      expect(await shown()).toBeNull();
      expect((await open()).images.shown[0]!.arrival).toMatch(/^optaget: ukendt · modtaget \d\d\.\d\d\.$/);
    }
  });

  test("of a DICOM file from before it was stored is read from the header", async () => {
    const bytes = await drawRadiograph({ type: 4, format: "dcm", seed: 4 });
    await uploadRadiograph(portal, dentist, referralId, "gammel.dcm", { bytes, type: 4 });
    const before = (await open()).images.shown[0]!;
    expect(before.takenOn).not.toBeNull();
    await portal.db.updateTable("storedFile").set({ takenOn: null }).execute();
    expect((await open()).images.shown[0]!.takenOn).toBe(before.takenOn);
  });

  test("is typed otherwise, changed and emptied, each once in the log", async () => {
    const fileId = await add(await picture());
    const { version } = await open();
    await day(fileId, "12.03.2026");
    await day(fileId, "12.03.2026");
    expect(await shown()).toContain("optaget 12.03.2026");
    expect((await open()).version).toBe(version + 1);
    expect((await open()).log[0]!.what).toBe("48.jpg er optaget 12.03.2026");
    await portal.as(dentist, setRadiographType, { referralId, fileId, radiographType: 2 });
    expect(await shown()).toContain("optaget 12.03.2026");
    await day(fileId, "");
    expect(await shown()).toBeNull();
  });

  test("is refused when it is none, in the future, or typed by another", async () => {
    const fileId = await add(await picture());
    for (const typed of ["31.02.2026", "01.01.2099", "31.12.1899", "i går"])
      await expect(day(fileId, typed), typed).rejects.toMatchObject({ name: "fileRefused" });
    for (const who of [stranger, secretary])
      await expect(day(fileId, "12.03.2026", who)).rejects.toMatchObject({ name: "notInScope" });
    expect(await shown()).toBeNull();
  });
});
