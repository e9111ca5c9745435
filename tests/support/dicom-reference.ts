import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect } from "vitest";
import type { Picture } from "~/files/dicom/dicom-pixels";
import { drawDicom } from "~/files/dicom/draw-dicom.server";
import { aDicomFile, type DicomPicture } from "../factories/dicom";
import { findDcmtk } from "./dcmtk.mjs";

/** Of 255: rounding, and tolerance of lossy decoders. */
export const MAX = 2;

export const SIDE = 64;
/** A gradient with a bright disc: every shade occurs, and the quarters differ. */
export const scene = Array.from({ length: SIDE * SIDE }, (_, at) => {
  const [x, y] = [at % SIDE, Math.floor(at / SIDE)];
  return (x - 40) ** 2 + (y - 20) ** 2 < 120 ? 0.9 - x / 400 : (x + 2 * y) / (3 * SIDE);
});
/** The scene in integers from `from` to `to`. */
export const levels = (to: number, from = 0) => scene.map((level) => Math.round(from + level * (to - from)));
export const grey = { rows: SIDE, columns: SIDE };
export const colour = { ...grey, samples: 3 };
export const colours = scene.flatMap((level, at) => [level, ((at % SIDE) / SIDE) * 0.8, 1 - level]);
export const rgb8 = Buffer.from(colours.map((level) => Math.round(level * 255)));

/** The window without the lowest and highest half percent. */
export function percentiles(values: number[]): string[] {
  const sorted = values.toSorted((a, b) => a - b);
  const [low = 0, high = 0] = [sorted[Math.floor(sorted.length * 0.005)], sorted[Math.ceil(sorted.length * 0.995) - 1]];
  return ["+Ww", String((low + high) / 2), String(high - low)];
}

function dcmtkFolder(): string {
  const folder = findDcmtk();
  if (folder === undefined)
    throw new Error(
      "DCMTK was not found. `npm run test:matrix` installs it as root on Debian; or set DCMTK to the folder of its programs.",
    );
  return folder;
}

/** Files for the tests of one file and DCMTK's renderings of them. */
export function dicomReference() {
  const folder = mkdtempSync(join(tmpdir(), "draw-dicom-"));
  let files = 0;
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  function file(picture: DicomPicture): string {
    const path = join(folder, `${++files}.dcm`);
    writeFileSync(path, aDicomFile(picture));
    return path;
  }
  const run = (program: string, ...args: string[]) =>
    execFileSync(join(dcmtkFolder(), program), args, { stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1e8 });

  function converted(path: string, program: string, ...options: string[]): string {
    const target = join(folder, `${++files}.dcm`);
    run(program, ...options, path, target);
    return target;
  }

  function reference(path: string, ...options: string[]): Picture {
    const target = join(folder, `${++files}.pnm`);
    run("dcmj2pnm", "-O", "+op", ...options, path, target);
    const bytes = readFileSync(target);
    const [heading = "", kind, width, height] =
      /^(P[56])\s(?:#.*\n)?(\d+)\s(\d+)\s255\s/.exec(bytes.toString("latin1", 0, 200)) ?? [];
    return {
      width: Number(width),
      height: Number(height),
      channels: kind === "P6" ? 3 : 1,
      data: bytes.subarray(heading.length),
    };
  }

  /** Difference of the portal's picture from a reference, which must not be blank. */
  async function differenceFrom(path: string, expected: Picture): Promise<number> {
    expect(new Set(expected.data).size).toBeGreaterThan(2);
    return difference(await drawDicom(path, undefined), expected);
  }

  return { file, converted, reference, differenceFrom };
}

function difference(one: Picture, other: Picture): number {
  expect([one.width, one.height, one.channels, one.data.length]).toEqual([
    other.width,
    other.height,
    other.channels,
    other.data.length,
  ]);
  return one.data.reduce((sum, value, at) => sum + Math.abs(value - (other.data[at] ?? 0)), 0) / one.data.length;
}
