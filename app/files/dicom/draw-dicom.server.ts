import { decodeFrame } from "./dicom-decode.server";
import { DicomError } from "./dicom-error";
import { BIG_ENDIAN, readDicomFrame } from "./dicom-frames.server";
import { readDicomHeader } from "./dicom-header.server";
import { readFrameAttributes } from "./dicom-attributes.server";
import { drawColour, drawGrey, drawPalette, MAX_DRAWN_PIXELS, type Picture } from "./dicom-pixels";
import type { WindowAdjustment } from "~/files/previews/preview-result";

/**
 * Draws a DICOM frame. @param frame 0-based; default the middle one, as first slices are usually empty @throws
 * DicomError; `unsupported` rather than a misleading picture
 */
export async function drawDicom(path: string, frame: number | undefined, tone?: WindowAdjustment): Promise<Picture> {
  const header = await readDicomHeader(path);
  const nth = frame ?? Math.floor(header.frames / 2);
  if (nth >= header.frames) throw new DicomError("noFrame", `frame ${nth} of ${header.frames}`);
  const { format, modality, voi, padding, palette } = readFrameAttributes(header.dataSet, nth);
  if (format.rows * format.columns > MAX_DRAWN_PIXELS)
    throw new DicomError("tooManyPixels", `${format.columns} × ${format.rows}`);
  const bytes = await readDicomFrame(path, header, nth);
  const { samples, isPlanar, colours } = await decodeFrame(bytes, format, {
    transferSyntax: header.transferSyntax,
    isBigEndian: header.transferSyntax === BIG_ENDIAN,
    isInWords: header.pixels?.isInWords ?? false,
  });
  if (format.samples === 3) return drawColour(samples, { ...format, isPlanar }, colours, tone);
  if (palette !== undefined) return drawPalette(samples, format, palette, tone);
  if (format.photometric === "MONOCHROME1" || format.photometric === "MONOCHROME2")
    return drawGrey(samples, { format, modality, voi, padding }, tone);
  throw new DicomError("unsupported", `one sample of ${format.photometric}`);
}
