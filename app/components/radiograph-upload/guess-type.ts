import { arrivedType } from "~/files/file-rules";

const INTRAORAL = 0;
const PHOTO = 1;
const PANORAMA = 2;
const LEAST_PANORAMIC = 1.7;

/** A file's head names size and lens, in photos behind the camera's preview. */
const HEAD_BYTES = 256 * 1024;

interface Shape {
  width: number;
  height: number;
  hasLens?: boolean;
}

/** The type that a picture most likely has: wide ones are panoramas, those of a lens photos, all others intraoral. */
export async function guessType(name: string, file: Blob): Promise<number> {
  const shape = await shapeOf(file).catch(() => null);
  const isWide = shape !== null && shape.width / shape.height >= LEAST_PANORAMIC;
  return arrivedType(name, shape?.hasLens ? PHOTO : isWide ? PANORAMA : INTRAORAL);
}

async function shapeOf(file: Blob): Promise<Shape | null> {
  const head = new DataView(await new Response(file.slice(0, HEAD_BYTES)).arrayBuffer());
  switch (head.getUint16(0)) {
    case 0xffd8:
      return shapeOfJpeg(head);
    case 0x8950:
      return { width: head.getUint32(16), height: head.getUint32(20) };
    case 0x4749:
      return { width: head.getUint16(6, true), height: head.getUint16(8, true) };
    case 0x424d:
      return { width: head.getInt32(18, true), height: Math.abs(head.getInt32(22, true)) };
    default:
      return null;
  }
}

const EXIF = 0xffe1;
/** Tables and reserved markers among those of a frame. */
const NO_FRAME = [0xffc4, 0xffc8, 0xffcc];

function shapeOfJpeg(head: DataView): Shape {
  let hasLens = false;
  for (let at = 2; ; at += 2 + head.getUint16(at + 2)) {
    const marker = head.getUint16(at);
    if (marker === EXIF && head.getUint32(at + 4) === 0x45786966) hasLens = tellsOfLens(head, at + 10);
    if (marker >= 0xffc0 && marker <= 0xffcf && !NO_FRAME.includes(marker))
      return { height: head.getUint16(at + 5), width: head.getUint16(at + 7), hasLens };
  }
}

const EXIF_FIELDS = 0x8769;
const F_NUMBER = 0x829d;

/** An aperture is stated by cameras alone; sensors state maker and exposure as well. */
function tellsOfLens(head: DataView, start: number): boolean {
  const isLittle = head.getUint16(start) === 0x4949;
  const fieldAt = (directory: number, tag: number) => {
    const count = head.getUint16(directory, isLittle);
    for (let nth = 0; nth < count; nth += 1) {
      const field = directory + 2 + 12 * nth;
      if (head.getUint16(field, isLittle) === tag) return field;
    }
    return null;
  };
  const fields = fieldAt(start + head.getUint32(start + 4, isLittle), EXIF_FIELDS);
  return fields !== null && fieldAt(start + head.getUint32(fields + 8, isLittle), F_NUMBER) !== null;
}
