import { useNavigate } from "@remix-run/react";
import type { RefObject } from "react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import type { Viewer } from "./present";
import type { Adjustments } from "./use-adjustments";
import { usePanZoom } from "./use-pan-zoom";

export function useZoom(
  viewport: RefObject<HTMLDivElement>,
  referralId: number,
  { image, previousId, nextId }: Viewer,
  adjustments: Adjustments,
) {
  const navigate = useNavigate();
  const pages = useImagePages(referralId);
  const go = (to: string) => navigate(to, { replace: true, preventScrollReset: true });
  return usePanZoom(viewport, {
    imageId: image.id,
    isSideways: adjustments.turn % 180 !== 0,
    isToning: adjustments.tonePanel !== null,
    isToneServed: image.dicom !== null,
    startsFull: adjustments.isFull,
    onTone: (brightness, contrast) =>
      go(
        adjustments.hrefOf({
          brightness: adjustments.brightness + brightness,
          contrast: adjustments.contrast + contrast,
        }),
      ),
    onStep: (step) => {
      const next = step > 0 ? nextId : previousId;
      if (next !== null) go(adjustments.hrefOfOther(next));
    },
    onFrame: (step) => adjustments.slices.count > 1 && go(adjustments.slices.hrefOf(step)),
    onInvert: () => go(adjustments.hrefOf({ isInverted: !adjustments.isInverted })),
    onTurn: () => go(adjustments.hrefOf({ turn: adjustments.turned })),
    onBack: () => navigate(pages.images),
  });
}

export type Zoom = ReturnType<typeof useZoom>;
