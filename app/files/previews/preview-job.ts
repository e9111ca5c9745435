import { readerJob } from "~/files/reading/reader-job";
import type { CaptureHeader } from "~/files/dicom/capture-header.server";
import type { WrittenCapture } from "~/files/dicom/secondary-capture.server";
import type { DicomAnswer } from "~/files/dicom/dicom-facts.server";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import type { NoPreviewReason, PreviewSize, WindowAdjustment } from "./preview-result";

/** A picture to be drawn. Paths are absolute. */
export interface PreviewJob {
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

/** A picture to be written as a DICOM file for the archive. Paths are absolute. */
export interface CaptureJob {
  sourcePath: string;
  outputPath: string;
  mime: string;
  /** Whether a JPEG may keep its own bytes. */
  preservesJpeg: boolean;
  header: CaptureHeader;
}

export type CaptureAnswer = WrittenCapture | { failed: NoPreviewReason };

export interface PdfCheckAnswer {
  check: PdfCheck;
}

interface OneFile {
  sourcePath: string;
}

/** Longer than for the others: every pixel is written, and no request waits for it. */
const CAPTURE_MS = 60_000;

export const previewJob = readerJob<PreviewJob, PreviewAnswer>("preview", "turns");
export const captureJob = readerJob<CaptureJob, CaptureAnswer>("capture", "turns", CAPTURE_MS);
export const pdfTextJob = readerJob<OneFile, PdfTextAnswer>("pdfText", "turns");
export const dicomJob = readerJob<OneFile, DicomAnswer>("dicom", "forms");
export const pdfCheckJob = readerJob<OneFile, PdfCheckAnswer>("pdfCheck", "forms");
