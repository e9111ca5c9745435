// @module-tag node
import { mkdtempSync } from "node:fs";
import { readdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { drawRadiograph } from "~/demo/content/drawn-images.server";
import { Refusal } from "~/access/refusal";
import { refusalText, wrongTypeText } from "~/files/file-texts";
import { createReaders } from "~/files/reading/readers.server";
import type { UploadRoom } from "~/files/staging/upload-quota.server";
import { makeZip, type ZipPart } from "../../../tests/support/make-zip";
import { createTestPortal, type TestPortal } from "../../../tests/support/test-portal";
import { archivedFileTexts, archiveLimits, archiveTexts } from "./archive-rules";
import { unpackArchive } from "./unpack-archive.server";

describe("a ZIP as its images", () => {
  let portal: TestPortal;
  let picture: Buffer;
  let slice: Buffer;
  const roomy: UploadRoom = { check: () => undefined, take: () => undefined };
  const plenty = { bytes: Infinity, text: "" };
  beforeAll(async () => {
    portal = await createTestPortal("sqlite");
    picture = await drawRadiograph({ type: 0, format: "jpg", seed: 1 });
    slice = await drawRadiograph({
      type: 4,
      format: "dcm",
      seed: 2,
      patient: { cpr: "620170-4321", firstName: "Åse", lastName: "Øst" },
    });
  });
  afterAll(() => portal.close());

  async function unpack(zip: Buffer, { room = roomy, max = archiveLimits.bytes, quota = plenty } = {}) {
    const folder = mkdtempSync(path.join(portal.config.dataDir, "unpack-"));
    const file = path.join(folder, "zip");
    await writeFile(file, zip);
    const unpacked = await unpackArchive(portal, file, { room, quota, requestedBy: "test", maxBytes: max }).finally(
      async () => expect(await readdir(folder)).toEqual(["zip"]),
    );
    return { ...unpacked, names: unpacked.accepted.map(({ fileName }) => fileName) };
  }
  const unpackParts = (...parts: ZipPart[]) => unpack(makeZip(parts));
  const stored = async () => {
    let count = 0;
    for (let prefix = 0; prefix < 256; prefix += 1)
      for await (const _ of portal.files.list(prefix.toString(16).padStart(2, "0"), new Date("2100-01-01"))) count += 1;
    return count;
  };

  test("its images are kept in natural order, without folders and system files", async () => {
    const { names, refused, refusal } = await unpackParts(
      { name: "cbct/" },
      { name: "cbct/10.jpg", bytes: picture },
      { name: "cbct/2.jpg", bytes: picture, method: 0 },
      { name: "cbct/DICOMDIR", bytes: slice },
      { name: "__MACOSX/cbct/._2.jpg", bytes: picture },
      { name: "cbct/.DS_Store", bytes: picture },
      { name: "cbct/Thumbs.db", bytes: picture },
    );
    expect(names).toEqual(["2.jpg", "10.jpg"]);
    expect({ refused, refusal }).toEqual({ refused: [], refusal: null });
  });

  test("of a name that leads elsewhere only the last part is used", async () => {
    const { names } = await unpackParts(
      { name: "../../etc/1.jpg", bytes: picture },
      { name: "/root/2.jpg", bytes: picture },
      { name: "C:\\Windows\\3.jpg", bytes: picture },
      { name: "a\\..\\4.jpg", bytes: picture },
      { name: "con.jpg", bytes: picture },
      { name: "..", bytes: slice },
    );
    expect(names.sort()).toEqual(["1.jpg", "2.jpg", "3.jpg", "4.jpg", "_con.jpg", "fil.dcm"]);
  });

  test("a file with a name over 1,024 bytes is refused, the others kept", async () => {
    const { names, refused } = await unpackParts(
      { name: `${"ø".repeat(511)}.jpg`, bytes: picture },
      { name: "b.jpg", bytes: picture },
      { name: `cbct/${".".repeat(65_000)}a.jpg`, bytes: picture },
      { name: `${"mappe/".repeat(200)}c.jpg`, bytes: picture },
    );
    expect(names).toEqual(["b.jpg"]);
    expect(refused.map(({ text }) => text)).toEqual(Array(3).fill(archivedFileTexts.longName));
    expect(refused.map(({ fileName }) => fileName)).toEqual(["a.jpg", "c.jpg", expect.stringMatching(/^ø{116}\.jpg$/)]);
  });

  test("names are read in UTF-8, declared or not, and in the old code pages of Windows", async () => {
    const { names } = await unpackParts(
      { name: "sagt åæø.jpg", bytes: picture, flags: 0x800 },
      { name: "usagt åæø.jpg", bytes: picture },
      { name: Buffer.from([0x86, 0x91, 0x9b, 0x9d, 0x2e, 0x6a, 0x70, 0x67]), bytes: picture },
    );
    expect(names.sort()).toEqual(["sagt åæø.jpg", "usagt åæø.jpg", "åæøØ.jpg"].sort());
  });

  test("accepts DICOM files without an extension, and no other file without one", async () => {
    const { names, refused } = await unpackParts(
      { name: "IM000001", bytes: slice },
      { name: "1.2.840.10008.77", bytes: slice },
      { name: "README", bytes: Buffer.from("text") },
    );
    expect(names).toEqual(["1.2.840.10008.77.dcm", "IM000001.dcm"]);
    expect(refused).toEqual([{ fileName: "README", text: wrongTypeText("radiograph") }]);
  });

  test("accepts the allowed files and names each refused one with its reason", async () => {
    const broken = makeZip([{ name: "x", bytes: picture }]).subarray(31);
    const { names, refused, refusal } = await unpackParts(
      { name: "good.jpg", bytes: picture },
      { name: "a.txt", bytes: Buffer.from("text") },
      { name: "b.jpg", bytes: Buffer.from("no picture") },
      { name: "c.jpg" },
      { name: "d.jpg", bytes: picture, flags: 1 },
      { name: "e.jpg", bytes: Buffer.from("/etc/passwd"), mode: 0o120777 },
      { name: "f.zip", bytes: broken },
      { name: "g.jpg", bytes: picture, method: 14 },
      { name: "h.jpg", bytes: picture, claimedSum: 1 },
      { name: "i.jpg", bytes: picture, claimedBytes: 10 },
      { name: "j.tif", bytes: Buffer.from("II*\0") },
    );
    expect(names).toEqual(["good.jpg"]);
    expect(refusal).toBeNull();
    expect(refused.map(({ fileName, text }) => [fileName, text])).toEqual([
      ["a.txt", expect.stringContaining("Denne filtype er ikke godkendt")],
      ["b.jpg", expect.stringContaining("Indholdet er en tekstfil")],
      ["c.jpg", expect.stringContaining("Filen er tom")],
      ["d.jpg", archivedFileTexts.encrypted],
      ["e.jpg", archivedFileTexts.link],
      ["f.zip", archivedFileTexts.nested],
      ["g.jpg", archivedFileTexts.method],
      ["h.jpg", archivedFileTexts.damaged],
      ["i.jpg", archivedFileTexts.damaged],
      ["j.tif", expect.stringContaining("TIFF-billeder kan ikke vises")],
    ]);
  });

  test("a ZIP that is refused as a whole reports why and leaves no file", async () => {
    const before = await stored();
    const good = { name: "1.jpg", bytes: picture };
    const whole = makeZip([good, { name: "2.jpg", bytes: picture }]);
    expect((await unpack(whole.subarray(0, whole.length - 30))).refusal).toBe(archiveTexts.damaged);
    expect((await unpack(Buffer.from("PK\x03\x04 and then nothing"))).refusal).toBe(archiveTexts.damaged);
    expect((await unpackParts({ ...good, flags: 1 })).refusal).toBe(archiveTexts.encrypted);
    expect((await unpackParts({ name: "x/" })).refusal).toBe(archiveTexts.empty);
    expect((await unpackParts({ name: "a.txt", bytes: picture })).refusal).toBe(
      `${archiveTexts.noneTaken} ${refusalText("type", "radiograph", { extension: "txt" })}`,
    );
    const many = Array.from({ length: archiveLimits.files + 1 }, (_, nth) => ({ name: `${nth}.jpg`, method: 0 }));
    expect((await unpack(makeZip(many))).refusal).toBe(archiveTexts.tooMany);
    const zeros = { name: "2.jpg", bytes: Buffer.alloc(4 * 1024 * 1024), claimedBytes: 4 * 1024 * 1024 };
    expect((await unpack(makeZip([good, zeros]), { max: 1024 * 1024 })).refusal).toBe(archiveTexts.tooBig);
    const quota = { bytes: 1024 * 1024, text: archiveTexts.dayFull };
    expect((await unpack(makeZip([good, zeros]), { quota })).refusal).toBe(archiveTexts.dayFull);
    expect(await stored()).toBe(before);
  });

  test("a ZIP over whose directory the reader dies is refused, and the next one is taken", async () => {
    const programPath = path.join(portal.config.dataDir, "dies.mjs");
    await writeFile(programPath, `process.on("message", () => process.exit(3));`);
    const { readers } = portal;
    portal.readers = createReaders({ programPath });
    const good = { name: "1.jpg", bytes: picture };
    expect((await unpackParts(good)).refusal).toBe(archiveTexts.damaged);
    await portal.readers.close();
    portal.readers = readers;
    expect((await unpackParts(good)).names).toEqual(["1.jpg"]);
  });

  test("a full disk stops unpacking and leaves no file", async () => {
    const before = await stored();
    let left = picture.length + 1;
    const take = (bytes: number) => {
      left -= bytes;
      if (left < 0) throw new Refusal("storeFull");
    };
    const zip = makeZip([
      { name: "1.jpg", bytes: picture },
      { name: "2.jpg", bytes: picture },
    ]);
    await expect(unpack(zip, { room: { check: () => undefined, take } })).rejects.toThrow(
      expect.objectContaining({ name: "storeFull" }),
    );
    expect(await stored()).toBe(before);
  });
});
