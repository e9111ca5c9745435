import { type FileHandle, open } from "node:fs/promises";
import type { Sharp, SharpOptions } from "sharp";

/** Gamma of sRGB; libpng ignores differences within this distance. */
const SCREEN_GAMMA = 0.45455;
const TOLERANCE = 0.05;

/**
 * The gamma of a PNG that a browser would apply; null without `gAMA`, with the screen's gamma, or if another chunk
 * defines the colours.
 */
export async function gammaToApply(path: string): Promise<number | null> {
  const file = await open(path, "r");
  try {
    const gamma = await statedGamma(file);
    return gamma === null || Math.abs(gamma / SCREEN_GAMMA - 1) < TOLERANCE ? null : gamma;
  } finally {
    await file.close();
  }
}

async function statedGamma(file: FileHandle): Promise<number | null> {
  const chunk = Buffer.alloc(12);
  let gamma: number | null = null;
  for (let at = 8; (await file.read(chunk, 0, 12, at)).bytesRead === 12; at += 12 + chunk.readUInt32BE(0)) {
    const name = chunk.toString("latin1", 4, 8);
    if (["sRGB", "iCCP", "cICP"].includes(name)) return null;
    if (name === "gAMA") gamma = chunk.readUInt32BE(8) / 100_000;
    if (name === "IDAT" || name === "IEND") break;
  }
  return gamma === null || gamma <= 0 ? null : gamma;
}

/** Applies the gamma at full depth; transparency stays. */
export async function applyGamma(
  sharp: (data: Uint8Array | Uint16Array, options: SharpOptions) => Sharp,
  picture: Sharp,
  gamma: number,
): Promise<Sharp> {
  const { depth, channels: stored } = await picture.metadata();
  const isDeep = depth === "ushort";
  const raw = isDeep
    ? picture.toColourspace(stored < 3 ? "grey16" : "rgb16").raw({ depth: "ushort" })
    : picture.raw({ depth: "uchar" });
  const { data, info } = await raw.toBuffer({ resolveWithObject: true });
  const { width, height, channels } = info;
  const samples = isDeep ? new Uint16Array(data.buffer, data.byteOffset, data.length / 2) : data;
  const shown = shownLevels(isDeep ? 65_535 : 255, gamma);
  const hasAlpha = channels === 2 || channels === 4;
  for (let at = 0; at < samples.length; at++)
    if (!hasAlpha || (at + 1) % channels !== 0) samples[at] = shown[samples[at]!]!;
  return sharp(samples, { raw: { width, height, channels } });
}

function shownLevels(max: number, gamma: number): Uint16Array {
  return Uint16Array.from({ length: max + 1 }, (_, level) => {
    const light = (level / max) ** (1 / gamma);
    const shown = light <= 0.003_130_8 ? 12.92 * light : 1.055 * light ** (1 / 2.4) - 0.055;
    return Math.round(shown * max);
  });
}
