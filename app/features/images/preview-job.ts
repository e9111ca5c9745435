import type { NoPreviewReason, PreviewSize } from "./preview-result";

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
  /** Grey levels to spread over black to white, in the units of the image. DICOM only. */
  window?: { center: number; width: number };
}

/** What it answers. `width` and `height` in pixels of the preview; `frames` of the file. */
export type PreviewAnswer =
  | { id: number; ok: true; width: number; height: number; frames: number }
  | { id: number; ok: false; reason: NoPreviewReason };
