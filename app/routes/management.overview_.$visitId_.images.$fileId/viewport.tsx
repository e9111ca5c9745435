import { useNavigate } from "@remix-run/react";
import { type MouseEvent, useRef, useState } from "react";
import { paths } from "~/paths";
import { Button, ButtonLink, IconButton, buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { useImagePages } from "~/components/referral-pages/use-image-pages";
import { DicomTools } from "./dicom-tools";
import type { Look, ViewedImage } from "./use-adjustments";
import { usePanZoom } from "./use-pan-zoom";

/** The tools and the picture. Without JavaScript 'Tilpas' and '100 %' are pages; with JavaScript the same links move the picture that is there. */
export function Stage({ image, look }: { image: ViewedImage; look: Look }) {
  const hydrated = useHydrated();
  const navigate = useNavigate();
  const pages = useImagePages(image.referralId);
  const stage = useRef<HTMLDivElement>(null);
  const [isToning, setToning] = useState(false);
  const go = (to: string) => navigate(to, { replace: true, preventScrollReset: true });
  const motion = usePanZoom(stage, {
    isToning,
    startsFull: look.isFull,
    onTone: (brightness, contrast) =>
      go(look.hrefOf({ brightness: look.brightness + brightness, contrast: look.contrast + contrast })),
    onStep: (step) => {
      const next = step > 0 ? image.nextId : image.previousId;
      if (next !== null) go(pages.image(next));
    },
    onFrame: (step) => look.frames > 1 && go(look.hrefOf({ frame: look.frame + step })),
    onBack: () => navigate(pages.images),
  });
  const byScript = (act: () => void) => (event: MouseEvent) => {
    if (!hydrated || event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    act();
  };
  const isLarge = hydrated ? motion.isLarge : look.isFull;
  const source = look.source(isLarge ? "full" : "view");
  return (
    <>
      <div className="row viewer-tools">
        <ButtonLink to={look.hrefOf({ isFull: false })} size="small" onClick={byScript(motion.fit)}>
          Tilpas
        </ButtonLink>
        <ButtonLink to={look.hrefOf({ isFull: true })} size="small" onClick={byScript(motion.full)}>
          100 %
        </ButtonLink>
        {hydrated && (
          <>
            <IconButton
              type="button"
              variant="outline"
              size="small"
              icon="minus"
              label="Zoom ud"
              onClick={() => motion.zoomBy(1 / 1.5)}
            />
            <IconButton
              type="button"
              variant="outline"
              size="small"
              icon="plus"
              label="Zoom ind"
              onClick={() => motion.zoomBy(1.5)}
            />
          </>
        )}
        {image.dicom && <DicomTools look={look} />}
        {image.dicom && hydrated && (
          <Button
            type="button"
            size="small"
            variant={isToning ? "primary" : "outline"}
            aria-pressed={isToning}
            onClick={() => setToning(!isToning)}
          >
            Træk ændrer lys og kontrast
          </Button>
        )}
        <a
          className={buttonClass({ variant: "plain", size: "small" })}
          href={paths.referralFile(image.referralId, image.fileId)}
          download={image.name}
        >
          Hent original
        </a>
      </div>
      <div
        ref={stage}
        className={
          hydrated ? `stage stage-live${isToning ? " stage-toning" : ""}` : look.isFull ? "stage stage-full" : "stage"
        }
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and with JavaScript it answers keys
        tabIndex={0}
        role="group"
        aria-label={
          hydrated
            ? "Billedet. Plus og minus zoomer, 0 tilpasser, pile flytter billedet eller skifter til det næste, Escape går tilbage."
            : "Billedet"
        }
      >
        <img src={source} alt={`${image.typeLabel}: ${image.name}`} draggable={false} />
      </div>
      {hydrated && (
        <p className="meta no-print">
          Rul eller knib for at zoome, træk for at flytte. Taster: + og − zoomer, 0 tilpasser, ← og → skifter billede
          {look.frames > 1 ? ", ↑ og ↓ skifter snit" : ""}, Esc går tilbage.
        </p>
      )}
    </>
  );
}
