import type { WindowAdjustment } from "~/files/previews/preview-result";

/** Maximum decompressed bytes of a frame, checked before allocating. */
export const MAX_DECODED_BYTES = 200e6;

/** Larger pictures have no preview. */
export const MAX_DRAWN_PIXELS = 50e6;

/** Pixel layout of a frame (DICOM PS3.3 C.7.6.3.1). */
export interface PixelFormat {
  rows: number;
  columns: number;
  samples: number;
  bitsAllocated: number;
  bitsStored: number;
  highBit: number;
  isSigned: boolean;
  isPlanar: boolean;
  photometric: string;
}

/** `values[0]` also applies below `firstValue`, the last above. Output 0 to `maxValue`. */
export interface LookUpTable {
  firstValue: number;
  values: Uint16Array;
  maxValue: number;
}

export type ModalityTransform = LookUpTable | { slope: number; intercept: number };

export interface GreyWindow {
  centre: number;
  width: number;
  shape: "linear" | "linearExact" | "sigmoid";
}

export type Samples = Uint8Array | Uint16Array | Uint32Array;

export interface Picture {
  width: number;
  height: number;
  channels: 1 | 3;
  data: Uint8Array;
}

interface Grey {
  format: PixelFormat;
  modality: ModalityTransform;
  voi: LookUpTable | GreyWindow | undefined;
  padding: { from: number; to: number } | undefined;
}

const PLAIN: WindowAdjustment = { brightness: 0, contrast: 0 };
const narrowing = ({ contrast }: WindowAdjustment) => 0.8 ** contrast;
const shifting = ({ brightness }: WindowAdjustment) => 0.1 * brightness;

/**
 * Maps grey values through modality and window or look-up table to 0 (black) … 255 (white). Without a window the 0.5th
 * to 99.5th percentile of non-padding is used, so that one hot pixel cannot turn the picture black.
 */
export function drawGrey(
  samples: Samples,
  { format, modality, voi, padding }: Grey,
  tone: WindowAdjustment = PLAIN,
): Picture {
  const { bitsStored, highBit, isSigned, rows, columns } = format;
  const shift = highBit + 1 - bitsStored;
  const mask = 2 ** bitsStored - 1;
  const ofRaw = new Float64Array(mask + 1);
  const stored = (raw: number) => (isSigned && raw > mask >> 1 ? raw - mask - 1 : raw);
  for (let raw = 0; raw <= mask; raw++) ofRaw[raw] = applyModality(stored(raw), modality);

  const isPadding = (raw: number) => padding !== undefined && stored(raw) >= padding.from && stored(raw) <= padding.to;
  const chosen = voi ?? percentileWindow(countRaws(samples, shift, mask, rows * columns), ofRaw, isPadding);
  const toLevel = "values" in chosen ? tableLevels(chosen, tone) : windowLevels(toned(chosen, tone));

  const levels = new Uint8Array(mask + 1);
  const isInverted = format.photometric === "MONOCHROME1";
  for (let raw = 0; raw <= mask; raw++) {
    const level = clampLevel(toLevel(ofRaw[raw] ?? 0));
    levels[raw] = isInverted ? 255 - level : level;
  }
  const data = new Uint8Array(rows * columns);
  for (let at = 0; at < data.length; at++) data[at] = levels[((samples[at] ?? 0) >>> shift) & mask] ?? 0;
  return { width: columns, height: rows, channels: 1, data };
}

const clampLevel = (level: number) => Math.max(0, Math.min(255, Math.round(level)));

function applyModality(stored: number, modality: ModalityTransform): number {
  return "values" in modality ? lookUp(modality, stored) : stored * modality.slope + modality.intercept;
}

function lookUp({ firstValue, values }: LookUpTable, value: number): number {
  const at = Math.max(0, Math.min(values.length - 1, Math.round(value) - firstValue));
  return values[at] ?? 0;
}

function toned(window: GreyWindow, tone: WindowAdjustment): GreyWindow {
  return {
    ...window,
    centre: window.centre - window.width * shifting(tone),
    width: Math.max(window.shape === "linear" ? 1 : 1e-9, window.width * narrowing(tone)),
  };
}

/** PS3.3 C.11.2.1.2: LINEAR, LINEAR_EXACT and SIGMOID. */
function windowLevels({ centre, width, shape }: GreyWindow): (value: number) => number {
  if (shape === "sigmoid") return (value) => 255 / (1 + Math.exp((-4 * (value - centre)) / width));
  if (shape === "linearExact") return (value) => ((value - centre) / width + 0.5) * 255;
  if (width === 1) return (value) => (value <= centre - 0.5 ? 0 : 255);
  return (value) => ((value - (centre - 0.5)) / (width - 1) + 0.5) * 255;
}

function tableLevels(table: LookUpTable, tone: WindowAdjustment): (value: number) => number {
  return (value) => tonedLevel((lookUp(table, value) * 255) / table.maxValue, tone);
}

/** Brightness and contrast for pictures without a window: 0 to 255 in, any number out. */
function tonedLevel(level: number, tone: WindowAdjustment): number {
  return (level - 127.5) / narrowing(tone) + 127.5 + 255 * shifting(tone);
}

function countRaws(samples: Samples, shift: number, mask: number, pixels: number): Uint32Array {
  const counts = new Uint32Array(mask + 1);
  for (let at = 0; at < pixels; at++) {
    const raw = ((samples[at] ?? 0) >>> shift) & mask;
    counts[raw] = (counts[raw] ?? 0) + 1;
  }
  return counts;
}

const CUT_OFF = 0.005;

function percentileWindow(counts: Uint32Array, ofRaw: Float64Array, isPadding: (raw: number) => boolean): GreyWindow {
  const used: number[] = [];
  let total = 0;
  for (let raw = 0; raw < counts.length; raw++) {
    const count = counts[raw] ?? 0;
    if (count === 0 || isPadding(raw)) continue;
    used.push(raw);
    total += count;
  }
  used.sort((a, b) => (ofRaw[a] ?? 0) - (ofRaw[b] ?? 0));
  const valueAbove = (from: number[]) => {
    let below = 0;
    for (const raw of from) {
      below += counts[raw] ?? 0;
      if (below > total * CUT_OFF) return ofRaw[raw] ?? 0;
    }
    return 0;
  };
  const low = valueAbove(used);
  const high = valueAbove([...used].reverse());
  return { centre: (low + high) / 2, width: Math.max(high - low, 1e-9), shape: "linearExact" };
}

export type ColourModel = "rgb" | "ybr";

export function drawColour(
  samples: Samples,
  format: PixelFormat,
  model: ColourModel,
  tone: WindowAdjustment = PLAIN,
): Picture {
  const { rows, columns, bitsStored, highBit } = format;
  if (format.isSigned) throw new DicomError("unsupported", "signed colours");
  const pixels = rows * columns;
  const unit = 2 ** (highBit + 1 - bitsStored);
  const steps = 2 ** bitsStored;
  // Screens show the upper eight of 16 bits.
  const toByte = (value: number) =>
    bitsStored === 8 && unit === 1 ? value : Math.floor(((Math.floor(value / unit) % steps) * 256) / steps);
  const [step, next] = format.isPlanar ? [1, pixels] : [3, 1];
  const levels = Uint8Array.from({ length: 256 }, (_, level) => clampLevel(tonedLevel(level, tone)));
  const data = new Uint8Array(pixels * 3);
  for (let pixel = 0, at = 0, to = 0; pixel < pixels; pixel++, at += step, to += 3) {
    let red = toByte(samples[at] ?? 0);
    let green = toByte(samples[at + next] ?? 0);
    let blue = toByte(samples[at + 2 * next] ?? 0);
    if (model === "ybr") {
      const [y, cb, cr] = [red, green - 128, blue - 128];
      red = clampLevel(y + 1.402 * cr);
      green = clampLevel(y - 0.344136 * cb - 0.714136 * cr);
      blue = clampLevel(y + 1.772 * cb);
    }
    data[to] = levels[red] ?? 0;
    data[to + 1] = levels[green] ?? 0;
    data[to + 2] = levels[blue] ?? 0;
  }
  return { width: columns, height: rows, channels: 3, data };
}

export function drawPalette(
  samples: Samples,
  format: PixelFormat,
  palette: readonly LookUpTable[],
  tone: WindowAdjustment = PLAIN,
): Picture {
  const { rows, columns, bitsStored, highBit } = format;
  const shift = highBit + 1 - bitsStored;
  const mask = 2 ** bitsStored - 1;
  const tables = palette.map(
    (table) => (raw: number) => clampLevel(tonedLevel((lookUp(table, raw) * 255) / table.maxValue, tone)),
  );
  const data = new Uint8Array(rows * columns * 3);
  for (let pixel = 0, to = 0; pixel < rows * columns; pixel++) {
    const raw = ((samples[pixel] ?? 0) >>> shift) & mask;
    for (const level of tables) data[to++] = level(raw);
  }
  return { width: columns, height: rows, channels: 3, data };
}

/** Expands uncompressed YBR_FULL_422 (Y Y Cb Cr for two pixels) to Y Cb Cr per pixel. */
export function expand422(bytes: Uint8Array, pixels: number): Uint8Array {
  const samples = new Uint8Array(pixels * 3);
  for (let pixel = 0; pixel < pixels; pixel++) {
    const pair = (pixel >> 1) * 4;
    samples[pixel * 3] = bytes[pair + (pixel & 1)] ?? 0;
    samples[pixel * 3 + 1] = bytes[pair + 2] ?? 0;
    samples[pixel * 3 + 2] = bytes[pair + 3] ?? 0;
  }
  return samples;
}

/** `notDicom`: no 'DICM' at byte 128; `unsupported`: valid but not drawable; `noFrame`: fewer frames. */
type DicomProblem = "notDicom" | "damaged" | "unsupported" | "tooManyPixels" | "noFrame";

export class DicomError extends Error {
  override readonly name = "DicomError";
  constructor(
    readonly reason: DicomProblem,
    message: string,
  ) {
    super(message);
  }
}
