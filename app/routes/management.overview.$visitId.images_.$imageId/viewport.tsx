import { Link } from "@remix-run/react";
import { type RefObject, useRef } from "react";
import { MAX_TONE_STEPS } from "~/files/previews/preview-result";
import { notScannedText } from "~/files/scan-gaps";
import { filePaths } from "~/features/referrals/file-paths";
import { buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import type { ViewedImage } from "./present";
import { sidesOf } from "./sides";
import type { Adjustments } from "./use-adjustments";
import { usePanZoom, type Zoom } from "./use-pan-zoom";

/** The patient's sides at the edges of the viewport, which stay there while the image is moved. */
function Sides({ image: { dicom }, turn }: { image: ViewedImage; turn: Adjustments["turn"] }) {
  return (
    <>
      {sidesOf(dicom?.orientation ?? null, turn).map(({ edge, letter, name }) => (
        <span key={edge} className={`side side-${edge}`} role="img" aria-label={name} title={name}>
          {letter}
        </span>
      ))}
    </>
  );
}

function FrameLinks({ adjustments }: { adjustments: Adjustments }) {
  const { at, count, hrefOf } = adjustments.slices;
  return (
    <div className="viewport-tools" role="group" aria-label="Snit">
      <Step to={at > 0 ? hrefOf(-10) : null} label="−10" name="10 snit tilbage" />
      <Step to={at > 0 ? hrefOf(-1) : null} label="Forrige snit" />
      <span className="num px-2">
        Snit {at + 1} af {count}
      </span>
      <Step to={at < count - 1 ? hrefOf(1) : null} label="Næste snit" />
      <Step to={at < count - 1 ? hrefOf(10) : null} label="+10" name="10 snit frem" />
    </div>
  );
}

function Step({ to, label, name }: { to: string | null; label: string; name?: string }) {
  const className = buttonClass({ variant: "plain", size: "small", fit: "tight" });
  if (to === null) {
    return (
      <span className={className} aria-disabled="true">
        {label}
      </span>
    );
  }
  return (
    <Link to={to} replace preventScrollReset className={className} aria-label={name}>
      {label}
    </Link>
  );
}

/** The image. Without JavaScript 'Tilpas' and '1:1' are pages; with it they move the picture. */
export function Viewport({
  viewport,
  image,
  adjustments,
  zoom,
}: {
  viewport: RefObject<HTMLDivElement>;
  image: ViewedImage;
  adjustments: Adjustments;
  zoom: Zoom;
}) {
  const hydrated = useHydrated();
  const isFull = hydrated ? zoom.isLarge : adjustments.isFull;
  return (
    <div
      ref={viewport}
      className={classNames(
        "viewport",
        hydrated ? "viewport-live" : adjustments.isFull && "viewport-full",
        hydrated && adjustments.tonePanel && "viewport-toning",
      )}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- it scrolls, and with JavaScript it answers keys
      tabIndex={0}
      role="group"
      aria-label={
        hydrated
          ? "Billedet. Plus og minus zoomer, 0 tilpasser, i inverterer, r drejer, pile flytter billedet eller skifter til det næste, Escape går tilbage."
          : "Billedet"
      }
    >
      <div className="pan">
        <div className={classNames("turned", adjustmentClass(image, adjustments))}>
          <img
            data-image={image.id}
            src={adjustments.source(isFull ? "full" : "view")}
            alt={altOf(image)}
            draggable={false}
          />
        </div>
      </div>
      <Sides image={image} turn={adjustments.turn} />
      <div className="viewport-name">
        {nameOf(image)}
        {adjustments.turn !== 0 && (
          <p className="viewport-turn">
            Drejet {adjustments.turn}°{" "}
            <Link
              to={adjustments.hrefOf({ turn: 0 })}
              replace
              preventScrollReset
              className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
              aria-label="Nulstil drejningen"
            >
              Nulstil
            </Link>
          </p>
        )}
      </div>
      {adjustments.slices.count > 1 && <FrameLinks adjustments={adjustments} />}
    </div>
  );
}

export function BesideViewport({
  referralId,
  image,
  adjustments,
  left,
}: {
  referralId: number;
  image: ViewedImage;
  adjustments: Adjustments;
  left: ViewedImage;
}) {
  const viewport = useRef<HTMLDivElement>(null);
  const { isLarge } = usePanZoom(viewport, {
    imageId: image.id,
    isSideways: false,
    isToning: false,
    isToneServed: false,
    startsFull: false,
    isSecond: true,
  });
  return (
    <div
      ref={viewport}
      className={useHydrated() ? "viewport viewport-live" : "viewport"}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with JavaScript it answers keys
      tabIndex={0}
      role="group"
      aria-label="Billedet ved siden af"
    >
      <div className="pan">
        <div className="turned">
          <img
            data-image={image.id}
            src={filePaths.referralPreview(referralId, image.id, isLarge ? "full" : "view")}
            alt={altOf(image)}
            draggable={false}
          />
        </div>
      </div>
      <Sides image={image} turn={0} />
      <p className="viewport-name">{nameOf(image)}</p>
      <p className="viewport-tools">
        <Link
          to={adjustments.hrefOfOther(image.id, left.id)}
          replace
          className={buttonClass({ variant: "plain", size: "small" })}
        >
          Byt om
        </Link>{" "}
        <Link
          to={adjustments.hrefOf({ besideId: null })}
          replace
          className={buttonClass({ variant: "plain", size: "small" })}
        >
          Luk sammenligning
        </Link>
      </p>
    </div>
  );
}

const altOf = ({ typeLabel, name }: ViewedImage) => `${typeLabel}: ${name}`;
const nameOf = ({ typeLabel, arrival, exposure, name, ...scan }: ViewedImage) =>
  `${name} · ${typeLabel} · ${exposure ? `${exposure}; modtaget ${arrival}` : arrival}` +
  (scan.isScanned ? "" : ` · ${notScannedText(scan)}`);

function adjustmentClass({ dicom }: ViewedImage, { brightness, contrast, isInverted, turn }: Adjustments): string {
  const step = (of: string, value: number) => (dicom || value === 0 ? "" : `${of}-${value + MAX_TONE_STEPS}`);
  return [
    step("light", brightness),
    step("sharp", contrast),
    isInverted ? "inverted" : "",
    turn ? `turned-${turn}` : "",
  ]
    .filter(Boolean)
    .join(" ");
}
