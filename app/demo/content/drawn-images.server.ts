import { createHash } from "node:crypto";
import sharp, { type Sharp } from "sharp";
import { cephalogram, intraoral, panorama, photo, type Scene, slice } from "./drawn-scenes.server";
import { createRandom, type Random } from "./seeded-random.server";

/** Numbers of the radiograph types: 0 Intraoralt, 1 Foto, 2 Panorama, 3 Cephalostat, 4 DICOM-file. */
export type DrawnType = 0 | 1 | 2 | 3 | 4;
export type DrawnFormat = "jpg" | "png" | "gif" | "bmp" | "dcm";

export interface DrawRequest {
  type: DrawnType;
  /** Type 4 is always a DICOM file, and DICOM of type 0 an intra-oral X-ray. */
  format: DrawnFormat;
  /** Equal seeds give equal bytes with the same version of sharp. */
  seed: number;
  patient?: { cpr: string; firstName: string; lastName: string };
  /** Date of a DICOM picture, `YYYY-MM-DD`; default 2026-11-18. */
  studyDate?: string;
  /** PatientOrientation of a DICOM picture; by default only a slice has one, as seen from the feet. */
  orientation?: [right: string, bottom: string] | null;
  sliceOf?: { series: string; number: number };
}

/** Draws a picture that resembles a dentist's, from geometry and noise. @returns 20 to 250 KB */
export async function drawRadiograph(request: DrawRequest): Promise<Buffer> {
  const { type, seed, format } = request;
  if (format === "dcm" || type === 4) return drawDicom(request, createRandom(seed * 8 + type));
  const [picture] = await drawInFormats(type, seed, [format]);
  return picture!;
}

/** One picture in several formats, painted once. */
export async function drawInFormats(type: DrawnType, seed: number, formats: readonly DrawnFormat[]): Promise<Buffer[]> {
  const random = createRandom(seed * 8 + type);
  const scene = sceneOf(type, random);
  const { data, channels } = await paint(scene, random, type === 1);
  const raw = { width: scene.width, height: scene.height, channels };
  return Promise.all(formats.map((format) => encode(sharp(data, { raw }), format)));
}

async function encode(picture: Sharp, format: DrawnFormat): Promise<Buffer> {
  switch (format) {
    case "jpg":
      return picture.jpeg({ quality: 80 }).toBuffer();
    case "png":
      // Small and with few greys, because PNG cannot compress grain.
      return picture.resize({ width: 480 }).png({ palette: true, colours: 64, compressionLevel: 9 }).toBuffer();
    case "gif":
      return picture.resize({ width: 420 }).gif({ colours: 64 }).toBuffer();
    default:
      return encodeBmp(await picture.resize({ width: 360 }).greyscale().raw().toBuffer({ resolveWithObject: true }));
  }
}

function sceneOf(type: DrawnType, random: Random): Scene {
  switch (type) {
    case 0:
      return intraoral(random);
    case 1:
      return photo(random);
    case 2:
      return panorama(random);
    case 3:
      return cephalogram(random);
    case 4:
      return slice(random);
  }
}

/** Pixels an inch at which one unit of the SVG is one pixel. */
const FULL_DENSITY = 72;
/** Width in pixels at which a wider scene is rendered. */
const RENDERED_WIDTH = 320;

/**
 * Renders the SVG, then adds blur, bone texture and grain, so that it looks photographed. Each of the SVG's dozens of
 * filters costs a surface of its whole size: a small one takes a tenth of the time, and is blurred anyway.
 */
async function paint(scene: Scene, random: Random, isColour: boolean): Promise<{ data: Buffer; channels: 1 | 3 }> {
  const { width, height } = scene;
  const density = FULL_DENSITY * Math.min(1, RENDERED_WIDTH / width);
  const rendered = await sharp(Buffer.from(scene.svg), { density })
    .flatten({ background: "#000" })
    .raw()
    .toBuffer({ resolveWithObject: true });
  // In a pipeline of its own: in one, sharp would render the SVG at the size that is asked for.
  const drawn = sharp(rendered.data, { raw: rendered.info })
    .resize({ width, height, fit: "fill", kernel: "cubic" })
    .blur(scene.blur);
  const { data, info } = await (isColour ? drawn.removeAlpha() : drawn.greyscale())
    .raw()
    .toBuffer({ resolveWithObject: true });
  const hasBone = scene.bone.strength > 0;
  const sponge = hasBone ? spongeOf(random, scene.width, scene.height, scene.bone.size) : new Float32Array();
  for (let pixel = 0; pixel < scene.width * scene.height; pixel++) {
    const grain = (random.next() + random.next() + random.next() - 1.5) * 2 * scene.grain;
    for (let channel = 0; channel < info.channels; channel++) {
      const at = pixel * info.channels + channel;
      const value = data[at] ?? 0;
      // Bone is mid-grey: air and enamel get no texture.
      const boniness = Math.max(0, 1 - Math.abs(value - 118) / 70);
      const spongy = ((sponge[pixel] ?? 0) - 0.5) * 84 * scene.bone.strength * boniness;
      data[at] = Math.max(0, Math.min(255, Math.round(value + spongy + grain)));
    }
  }
  return { data, channels: info.channels === 1 ? 1 : 3 };
}

/** Smooth noise of two sizes, 0 to 1, each rotated, so that its grid is invisible. */
function spongeOf(random: Random, width: number, height: number, size: number): Float32Array {
  const field = new Float32Array(width * height);
  const side = Math.hypot(width, height);
  for (const [cell, weight, angle] of [
    [size, 0.62, 0.55],
    [size * 2.6, 0.38, 0.2],
  ] as const) {
    const columns = Math.ceil((side * 2) / cell) + 3;
    const knots = Float32Array.from({ length: columns * columns }, () => random.next());
    const cosine = Math.cos(angle) / cell;
    const sine = Math.sin(angle) / cell;
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const u = x * cosine + y * sine;
        const v = y * cosine - x * sine + side / cell;
        const column = Math.floor(u);
        const row = Math.floor(v);
        const along = eased(u - column);
        const down = eased(v - row);
        const at = row * columns + column;
        const above = (knots[at] ?? 0) * (1 - along) + (knots[at + 1] ?? 0) * along;
        const below = (knots[at + columns] ?? 0) * (1 - along) + (knots[at + columns + 1] ?? 0) * along;
        field[y * width + x] = (field[y * width + x] ?? 0) + weight * (above * (1 - down) + below * down);
      }
    }
  }
  return field;
}

/** Without easing the grid of the noise would show as squares. */
const eased = (part: number) => part * part * (3 - 2 * part);

/** Encodes an 8-bit grey BMP, bottom row first, as scanner programs do. */
export function encodeBmp({
  data,
  info,
}: {
  data: Buffer;
  info: { width: number; height: number; channels: number };
}): Buffer {
  const { width, height, channels } = info;
  const rowBytes = Math.ceil(width / 4) * 4;
  const pixelOffset = 14 + 40 + 256 * 4;
  const bmp = Buffer.alloc(pixelOffset + rowBytes * height);
  bmp.write("BM", "latin1");
  bmp.writeUInt32LE(bmp.length, 2);
  bmp.writeUInt32LE(pixelOffset, 10);
  bmp.writeUInt32LE(40, 14);
  bmp.writeInt32LE(width, 18);
  bmp.writeInt32LE(height, 22);
  bmp.writeUInt16LE(1, 26);
  bmp.writeUInt16LE(8, 28);
  bmp.writeUInt32LE(rowBytes * height, 34);
  bmp.writeUInt32LE(256, 46);
  for (let grey = 0; grey < 256; grey++) bmp.fill(Buffer.from([grey, grey, grey, 0]), 54 + grey * 4, 58 + grey * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      bmp[pixelOffset + (height - 1 - y) * rowBytes + x] = data[(y * width + x) * channels] ?? 0;
    }
  }
  return bmp;
}

const EXPLICIT_LITTLE_ENDIAN = "1.2.840.10008.1.2.1";
const SECONDARY_CAPTURE = "1.2.840.10008.5.1.4.1.1.7";
const INTRA_ORAL_FOR_PRESENTATION = "1.2.840.10008.5.1.4.1.1.1.3";

/** Pixels of DICOM pictures by type and seed: for another patient only the header is written anew. */
const painted = new Map<string, ReturnType<typeof paintGrey>>();

/** Type 4: a slice of a volume, 16 bits. Others: the picture at a smaller size, 8 bits. */
async function paintGrey(type: DrawnType, random: Random) {
  const scene = sceneOf(type, random);
  const { data: painting, channels } = await paint(scene, random, false);
  const { data, info } = await sharp(painting, { raw: { width: scene.width, height: scene.height, channels } })
    .resize({ width: type === 4 ? scene.width : 360 })
    .greyscale()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { pixels: type === 4 ? sixteenBits(data, random) : data, info };
}

async function drawDicom(request: DrawRequest, random: Random): Promise<Buffer> {
  const isSlice = request.type === 4;
  const key = `${request.type} ${request.seed}`;
  const painting = painted.get(key) ?? paintGrey(request.type, random);
  painted.set(key, painting);
  const { pixels, info } = await painting;
  const sopClass = request.type === 0 ? INTRA_ORAL_FOR_PRESENTATION : SECONDARY_CAPTURE;
  const instance = uidFor(request, "instance");
  const date = (request.studyDate ?? "2026-11-18").replaceAll("-", "");
  const { patient, orientation = isSlice ? (["L", "P"] as const) : null } = request;
  const element = (vr: string, ...Value: unknown[]) => ({ vr, Value });

  // Loaded on demand: only the demo writes DICOM files.
  const { default: dcmjs } = await import("dcmjs");
  const dicom = new dcmjs.data.DicomDict({
    "00020001": element("OB", new Uint8Array([0, 1]).buffer),
    "00020002": element("UI", sopClass),
    "00020003": element("UI", instance),
    "00020010": element("UI", EXPLICIT_LITTLE_ENDIAN),
    "00020012": element("UI", "2.25.80302813137786398554742050926734630921"),
    "00020013": element("SH", "HENVISNING-DEMO"),
  });
  dicom.dict = {
    "00080005": element("CS", "ISO_IR 192"),
    "00080008": element("CS", "DERIVED", "SECONDARY"),
    "00080016": element("UI", sopClass),
    "00080018": element("UI", instance),
    "00080020": element("DA", date),
    "00080030": element("TM", "101500"),
    "00080060": element("CS", request.type === 0 ? "IO" : request.sliceOf ? "CT" : isSlice ? "OT" : "DX"),
    "00080064": element("CS", "WSD"),
    "00080070": element("LO", "Demodata, ikke en patient"),
    "0008103E": element("LO", isSlice ? "CBCT underkæbe" : "Røntgen"),
    "00100010": element("PN", {
      Alphabetic: patient === undefined ? "Demo^Patient" : `${patient.lastName}^${patient.firstName}`,
    }),
    "00100020": element("LO", patient?.cpr.replace("-", "") ?? "DEMO"),
    "0020000D": element("UI", uidFor(request, "study")),
    "0020000E": element("UI", request.sliceOf?.series ?? uidFor(request, "series")),
    "00200013": element("IS", String(request.sliceOf?.number ?? 1)),
    ...(orientation === null ? {} : { "00200020": element("CS", ...orientation) }),
    "00280002": element("US", 1),
    "00280004": element("CS", "MONOCHROME2"),
    "00280010": element("US", info.height),
    "00280011": element("US", info.width),
    "00280100": element("US", isSlice ? 16 : 8),
    "00280101": element("US", isSlice ? 12 : 8),
    "00280102": element("US", isSlice ? 11 : 7),
    "00280103": element("US", 0),
    "00281050": element("DS", isSlice ? "2000" : "128"),
    "00281051": element("DS", isSlice ? "3600" : "256"),
    "7FE00010": element("OW", arrayBufferOf(pixels)),
  };
  return Buffer.from(dicom.write());
}

/** Spreads 8 bits over 12, with grain in the low bits, so that narrow windows look real. */
function sixteenBits(data: Buffer, random: Random): Buffer {
  const wide = Buffer.alloc(data.length * 2);
  data.forEach((value, index) => wide.writeUInt16LE(Math.min(4095, value * 16 + random.integer(0, 15)), index * 2));
  return wide;
}

/** UIDs under 2.25 from 128 bits (DICOM PS3.5 B.2), derived from the seed so that they stay the same. */
function uidFor({ type, seed, patient }: DrawRequest, what: string): string {
  const digest = createHash("sha256")
    .update(`${what} ${what === "instance" ? type : ""} ${seed} ${patient?.cpr ?? ""}`)
    .digest("hex");
  return `2.25.${BigInt(`0x${digest.slice(0, 31)}`)}`;
}

function arrayBufferOf(bytes: Buffer): ArrayBuffer {
  const even = new ArrayBuffer(bytes.length + (bytes.length % 2));
  new Uint8Array(even).set(bytes);
  return even;
}
