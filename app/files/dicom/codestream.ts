import { DicomError } from "./dicom-pixels";

export interface Codestream {
  width: number;
  height: number;
  components: number;
  colours: "rgb" | "ybr" | undefined;
  isPlanar: boolean;
}

const damaged = (why: string) => new DicomError("damaged", `codestream: ${why}`);
const RGB_IDS = "RGB";

/** Reads JPEG (ITU T.81) and JPEG-LS (T.87) markers up to the first scan. Throws DicomError. */
export function readJpegHeader(bytes: Uint8Array): Codestream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 4 || view.getUint16(0) !== 0xffd8) throw damaged("no JPEG");
  let size: Pick<Codestream, "width" | "height" | "components"> | undefined;
  let ids = "";
  let adobe: number | undefined;
  let isJfif = false;
  for (let at = 2; at + 4 <= bytes.length;) {
    const marker = view.getUint16(at);
    if (marker === 0xffff) {
      at += 1;
      continue;
    }
    const length = view.getUint16(at + 2);
    if (marker < 0xff01 || length < 2 || at + 2 + length > bytes.length) throw damaged("marker");
    const body = at + 4;
    const text = (count: number) => String.fromCharCode(...bytes.subarray(body, body + count));
    if (isFrameStart(marker)) {
      const components = bytes[body + 5] ?? 0;
      size = { height: view.getUint16(body + 1), width: view.getUint16(body + 3), components };
      ids = Array.from({ length: components }, (_, nth) => String.fromCharCode(bytes[body + 6 + nth * 3] ?? 0)).join(
        "",
      );
    } else if (marker === 0xffe0 && text(4) === "JFIF") isJfif = true;
    else if (marker === 0xffee && length >= 14 && text(5) === "Adobe") adobe = bytes[body + 11];
    else if (marker === 0xffda) {
      if (size === undefined) throw damaged("a scan without a frame");
      const interleave = bytes[body + 1 + (bytes[body] ?? 0) * 2 + 1] ?? 0;
      return { ...size, colours: coloursOf(adobe, ids, isJfif), isPlanar: size.components > 1 && interleave === 0 };
    }
    at += 2 + length;
  }
  throw damaged("no scan");
}

/** SOF0 to SOF15 except tables in the same range, and JPEG-LS's own. */
function isFrameStart(marker: number): boolean {
  return marker === 0xfff7 || (marker >= 0xffc0 && marker <= 0xffcf && ![0xffc4, 0xffc8, 0xffcc].includes(marker));
}

function coloursOf(adobe: number | undefined, ids: string, isJfif: boolean): Codestream["colours"] {
  if (adobe !== undefined) return adobe === 0 ? "rgb" : "ybr";
  if (ids === RGB_IDS) return "rgb";
  return isJfif ? "ybr" : undefined;
}

/**
 * Reads JPEG 2000 and HTJ2K headers (ITU T.800 Annex A: SIZ and COD). `colours` is `rgb` if components are transformed.
 * Throws DicomError.
 */
export function readJpeg2000Header(bytes: Uint8Array): Codestream {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.byteLength < 50 || view.getUint32(0) !== 0xff4fff51) throw damaged("no JPEG 2000");
  const components = view.getUint16(40);
  if (view.byteLength < 42 + components * 3) throw damaged("SIZ");
  for (let nth = 0; nth < components; nth++) {
    if (view.getUint16(42 + nth * 3 + 1) !== 0x0101)
      throw new DicomError("unsupported", "components of different sizes");
  }
  const size = {
    width: view.getUint32(8) - view.getUint32(16),
    height: view.getUint32(12) - view.getUint32(20),
    components,
  };
  for (let at = 4 + view.getUint16(4); at + 10 <= bytes.length; at += 2 + view.getUint16(at + 2)) {
    const marker = view.getUint16(at);
    if (marker === 0xff52) return { ...size, colours: bytes[at + 8] === 0 ? undefined : "rgb", isPlanar: false };
    if (marker === 0xff93 || view.getUint16(at + 2) < 2) break;
  }
  throw damaged("no COD");
}
