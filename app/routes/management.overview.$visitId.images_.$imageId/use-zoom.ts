import { useNavigate } from "@remix-run/react";
import type { RefObject } from "react";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import type { Viewer } from "./present";
import type { ShownLook } from "./use-look";
import { usePanZoom } from "./use-pan-zoom";

/** The image's stage, which wheel, fingers and keys move; what is not a movement leads to another address. */
export function useZoom(
  stage: RefObject<HTMLDivElement>,
  referralId: number,
  { image, previousId, nextId }: Viewer,
  look: ShownLook,
) {
  const navigate = useNavigate();
  const pages = useImagePages(referralId);
  const go = (to: string) => navigate(to, { replace: true, preventScrollReset: true });
  return usePanZoom(stage, {
    imageId: image.id,
    isSideways: look.turn % 180 !== 0,
    isToning: look.tonePanel !== null,
    isToneServed: image.dicom !== null,
    startsFull: look.isFull,
    onTone: (brightness, contrast) =>
      go(look.hrefOf({ brightness: look.brightness + brightness, contrast: look.contrast + contrast })),
    onStep: (step) => {
      const next = step > 0 ? nextId : previousId;
      if (next !== null) go(look.hrefOfOther(next));
    },
    onFrame: (step) => look.slices.count > 1 && go(look.slices.hrefOf(step)),
    onInvert: () => go(look.hrefOf({ isInverted: !look.isInverted })),
    onTurn: () => go(look.hrefOf({ turn: look.turned })),
    onBack: () => navigate(pages.images),
  });
}

export type Zoom = ReturnType<typeof useZoom>;
