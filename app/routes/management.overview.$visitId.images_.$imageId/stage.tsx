import { Link } from "@remix-run/react";
import { type RefObject, useRef } from "react";
import { MAX_TONE_STEPS } from "~/files/previews/preview-result";
import { paths } from "~/paths";
import { buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import { FrameLinks } from "./frame-links";
import type { ViewedImage } from "./present";
import type { ShownLook } from "./use-look";
import { usePanZoom } from "./use-pan-zoom";
import type { Zoom } from "./use-zoom";

/** The image as it is looked at. Without JavaScript 'Tilpas' and '1:1' are pages; with it the same links move the picture that is there. */
export function Stage({
  stage,
  image,
  look,
  zoom,
}: {
  stage: RefObject<HTMLDivElement>;
  image: ViewedImage;
  look: ShownLook;
  zoom: Zoom;
}) {
  const hydrated = useHydrated();
  const isFull = hydrated ? zoom.isLarge : look.isFull;
  return (
    <div
      ref={stage}
      className={classNames(
        "stage",
        hydrated ? "stage-live" : look.isFull && "stage-full",
        hydrated && look.tonePanel && "stage-toning",
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
        <div className={classNames("turned", lookClass(image, look))}>
          <img data-image={image.id} src={look.source(isFull ? "full" : "view")} alt={altOf(image)} draggable={false} />
        </div>
      </div>
      <p className="stage-name">{nameOf(image)}</p>
      {look.slices.count > 1 && <FrameLinks look={look} />}
    </div>
  );
}

/** Another image of the same referral, to hold against the first. */
export function BesideStage({
  referralId,
  image,
  look,
  left,
}: {
  referralId: number;
  image: ViewedImage;
  look: ShownLook;
  left: ViewedImage;
}) {
  const stage = useRef<HTMLDivElement>(null);
  const { isLarge } = usePanZoom(stage, {
    imageId: image.id,
    isSideways: false,
    isToning: false,
    isToneServed: false,
    startsFull: false,
    isSecond: true,
  });
  return (
    <div
      ref={stage}
      className={useHydrated() ? "stage stage-live" : "stage"}
      // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- with JavaScript it answers keys
      tabIndex={0}
      role="group"
      aria-label="Billedet ved siden af"
    >
      <div className="pan">
        <div className="turned">
          <img
            data-image={image.id}
            src={paths.referralPreview(referralId, image.id, isLarge ? "full" : "view")}
            alt={altOf(image)}
            draggable={false}
          />
        </div>
      </div>
      <p className="stage-name">{nameOf(image)}</p>
      <p className="stage-tools">
        <Link
          to={look.hrefOfOther(image.id, left.id)}
          replace
          className={buttonClass({ variant: "plain", size: "small" })}
        >
          Byt om
        </Link>{" "}
        <Link to={look.hrefOf({ besideId: null })} replace className={buttonClass({ variant: "plain", size: "small" })}>
          Luk sammenligning
        </Link>
      </p>
    </div>
  );
}

const altOf = ({ typeLabel, name }: ViewedImage) => `${typeLabel}: ${name}`;
const nameOf = ({ typeLabel, uploadedOn, dicom, name, isScanned }: ViewedImage) =>
  `${name} · ${typeLabel} · ${dicom?.takenOn ? `optaget ${dicom.takenOn}, modtaget ${uploadedOn}` : uploadedOn}` +
  (isScanned ? "" : " · ikke virusscannet");

/** What the browser draws by the viewer's classes; of DICOM the server has drawn light and contrast already. */
function lookClass({ dicom }: ViewedImage, { brightness, contrast, isInverted, turn }: ShownLook): string {
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
