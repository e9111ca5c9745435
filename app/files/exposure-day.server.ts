import { isoDate } from "./dicom/dicom-text.server";

const EXIF_FOLDER = 0x8769;
const DATE_TIME_ORIGINAL = 0x9003;
const ENTRY_BYTES = 12;

/**
 * Day on which a picture was taken, by its EXIF block as sharp returns it. Null without a real day; a block that points
 * outside itself has none.
 */
export function exifDay(exif: Buffer | undefined): string | null {
  if (exif === undefined) return null;
  const tiff = exif.toString("latin1", 0, 4) === "Exif" ? exif.subarray(6) : exif;
  const isLittleEndian = tiff.toString("latin1", 0, 2) === "II";
  const short = (at: number) => (isLittleEndian ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at));
  const long = (at: number) => (isLittleEndian ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at));
  const valueOf = (folder: number, tag: number) => {
    const count = short(folder);
    for (let nth = 0; nth < count; nth += 1) {
      const entry = folder + 2 + nth * ENTRY_BYTES;
      if (short(entry) === tag) return long(entry + 8);
    }
    return null;
  };
  try {
    const folder = valueOf(long(4), EXIF_FOLDER);
    const text = folder === null ? null : valueOf(folder, DATE_TIME_ORIGINAL);
    return text === null ? null : isoDate(tiff.toString("latin1", text, text + 10).replace(/:/g, "."));
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

const FIRST_DAY = "1900-01-01";

/** Rejects days of wrong camera clocks and mistyped years. @param today Copenhagen date */
export const isExposureDay = (day: string, today: string) => day >= FIRST_DAY && day <= today;
