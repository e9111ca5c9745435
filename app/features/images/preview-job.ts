import type { NoPreviewReason, PreviewSize, Tone } from "./preview-result";

/** What the preview thread is asked. Paths are absolute. */
export interface PreviewJob {
  id: number;
  sourcePath: string;
  /** Where the thread writes the finished JPEG; the asker renames it into the cache. */
  outputPath: string;
  mime: string;
  size: PreviewSize;
  /** 0-based; the middle one when absent. DICOM only. */
  frame?: number;
  /** DICOM only; the file's own window, or its darkest to brightest, when absent. */
  tone?: Tone;
}

/** What it answers. `width` and `height` in pixels of the preview; `frames` of the file. */
export type PreviewAnswer =
  | { id: number; ok: true; width: number; height: number; frames: number }
  | { id: number; ok: false; reason: NoPreviewReason };
