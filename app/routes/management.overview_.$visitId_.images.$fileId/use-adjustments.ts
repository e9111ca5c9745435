import { useSearchParams } from "@remix-run/react";
import { MOST_TONE_STEPS, type WindowAdjustment } from "~/files/previews/preview-result";
import { paths } from "~/paths";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import type { presentImage } from "./present";

export type ViewedImage = ReturnType<typeof presentImage>;

interface Change extends Partial<WindowAdjustment> {
  isFull?: boolean;
  /** 0-based. */
  frame?: number;
}

const bounded = (value: number, least: number, most: number) => Math.min(most, Math.max(least, Math.round(value) || 0));

/**
 * How the image is looked at, as the address says: `visning=100` for its own size, `lys` and `kontrast` in steps and `ramme` (1-based) for
 * DICOM. Without JavaScript every one of them is a link.
 */
export function useAdjustments({ referralId, fileId, dicom }: ViewedImage) {
  const [query] = useSearchParams();
  const pages = useImagePages(referralId);
  const frames = dicom?.frames ?? 1;
  const step = (name: string) => (dicom ? bounded(Number(query.get(name)), -MOST_TONE_STEPS, MOST_TONE_STEPS) : 0);
  const [brightness, contrast] = [step("lys"), step("kontrast")];
  // The first slices of a volume are usually empty air; the preview begins in the middle as well.
  const middle = Math.floor(frames / 2);
  const frame = query.has("ramme") ? bounded(Number(query.get("ramme")) - 1, 0, frames - 1) : middle;
  const isFull = query.get("visning") === "100";
  const source = (size: "view" | "full") =>
    paths.referralPreview(referralId, fileId, size, {
      ...(frame === middle ? {} : { frame }),
      ...(brightness === 0 && contrast === 0 ? {} : { brightness, contrast }),
    });
  const hrefOf = (change: Change) => {
    const next = { isFull, brightness, contrast, frame, ...change };
    const [light, sharp] = [next.brightness, next.contrast].map((value) =>
      bounded(value, -MOST_TONE_STEPS, MOST_TONE_STEPS),
    ) as [number, number];
    const at = bounded(next.frame, 0, frames - 1);
    return pages.image(fileId, {
      ...(next.isFull ? { visning: 100 } : {}),
      ...(light === 0 ? {} : { lys: light }),
      ...(sharp === 0 ? {} : { kontrast: sharp }),
      ...(at === middle ? {} : { ramme: at + 1 }),
    });
  };
  return { brightness, contrast, frame, frames, isFull, source, hrefOf };
}

export type Look = ReturnType<typeof useAdjustments>;
