import { readerJob } from "~/files/reading/reader-job";
import type { CaptureHeader } from "~/files/dicom/capture-header.server";
import type { WrittenCapture } from "~/files/dicom/secondary-capture.server";
import type { DicomAnswer } from "~/files/dicom/dicom-facts.server";
import type { PdfCheck } from "~/files/pdf/pdf-check.server";
import type { PdfTextAnswer } from "~/files/pdf/pdf-text.server";
import type { NoPreviewReason, PreviewSize, WindowAdjustment } from "./preview-result";

export interface PreviewJob {
  sourcePath: string;
  outputPath: string;
  mime: string;
  size: PreviewSize;
  /** 0-based, default the middle one; DICOM only. */
  frame?: number;
  /** Default the file's own window; DICOM only. */
  tone?: WindowAdjustment;
}

export type PreviewAnswer = { width: number; height: number } | { failed: NoPreviewReason };

export interface CaptureJob {
  sourcePath: string;
  outputPath: string;
  mime: string;
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

/** Longer than the others: every pixel is written, and no request waits for it. */
const CAPTURE_MS = 60_000;
/** Shorter than the others, since the uploads of everybody else wait meanwhile. */
const PDF_CHECK_MS = 10_000;

export const previewJob = readerJob<PreviewJob, PreviewAnswer>("preview", "turns");
export const captureJob = readerJob<CaptureJob, CaptureAnswer>("capture", "turns", CAPTURE_MS);
export const pdfTextJob = readerJob<OneFile, PdfTextAnswer>("pdfText", "turns");
export const dicomJob = readerJob<OneFile, DicomAnswer>("dicom", "forms");
export const pdfCheckJob = readerJob<OneFile, PdfCheckAnswer>("pdfCheck", "forms", PDF_CHECK_MS);
