import type { CaptureHeader } from "~/files/dicom/capture-header.server";
import type { WrittenCapture } from "~/files/dicom/secondary-capture.server";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { NoPreviewReason, PreviewSize, WindowAdjustment } from "./preview-result";

/** A picture to be drawn. Paths are absolute. */
export interface PreviewJob {
  kind: "preview";
  sourcePath: string;
  /** Where the process writes the finished JPEG; the asker renames it into the cache. */
  outputPath: string;
  mime: string;
  size: PreviewSize;
  /** 0-based; the middle one when absent. DICOM only. */
  frame?: number;
  /** DICOM only; the file's own window when absent. */
  tone?: WindowAdjustment;
}

/** `width` and `height` in pixels of the preview. */
export type PreviewAnswer = { width: number; height: number } | { failed: NoPreviewReason };

/** A DICOM file whose header is to be read and whose pixels are to be counted. */
export interface DicomJob {
  kind: "dicom";
  sourcePath: string;
}

/** A picture to be written as a DICOM file for the archive. Paths are absolute. */
export interface CaptureJob {
  kind: "capture";
  sourcePath: string;
  outputPath: string;
  mime: string;
  /** Whether a JPEG may keep its own bytes. */
  preservesJpeg: boolean;
  header: CaptureHeader;
}

export type CaptureAnswer = WrittenCapture | { failed: NoPreviewReason };

/** A PDF whose text is to be read. */
export interface PdfTextJob {
  kind: "pdfText";
  sourcePath: string;
}

/** A PDF that was uploaded: whether readers can open it. */
export interface PdfCheckJob {
  kind: "pdfCheck";
  sourcePath: string;
}

export interface PdfCheckAnswer {
  check: PdfCheck;
}

export type ImageJob = PreviewJob | DicomJob | CaptureJob | PdfTextJob | PdfCheckJob;
