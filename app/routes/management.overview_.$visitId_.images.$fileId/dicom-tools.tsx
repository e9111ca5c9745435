import { MOST_TONE_STEPS } from "~/files/previews/preview-result";
import { ButtonLink, buttonClass } from "~/ui/forms/button";
import type { Look } from "./use-adjustments";

/** Light, contrast and frames of a DICOM image, each step a link to a picture that the server makes from all of the file's grey levels. */
export function DicomTools({ look }: { look: Look }) {
  const { brightness, contrast, frame, frames } = look;
  return (
    <>
      <Step isOn={brightness < MOST_TONE_STEPS} to={look.hrefOf({ brightness: brightness + 1 })} label="Lysere" />
      <Step isOn={brightness > -MOST_TONE_STEPS} to={look.hrefOf({ brightness: brightness - 1 })} label="Mørkere" />
      <Step isOn={contrast < MOST_TONE_STEPS} to={look.hrefOf({ contrast: contrast + 1 })} label="Mere kontrast" />
      <Step isOn={contrast > -MOST_TONE_STEPS} to={look.hrefOf({ contrast: contrast - 1 })} label="Mindre kontrast" />
      <span className="meta num" role="status">
        Lys {signed(brightness)} · kontrast {signed(contrast)}
      </span>
      {(brightness !== 0 || contrast !== 0) && (
        <Step isOn to={look.hrefOf({ brightness: 0, contrast: 0 })} label="Nulstil lys" />
      )}
      {frames > 1 && (
        <span className="row" role="group" aria-label="Snit">
          <Step isOn={frame > 0} to={look.hrefOf({ frame: frame - 10 })} label="−10" name="10 snit tilbage" />
          <Step isOn={frame > 0} to={look.hrefOf({ frame: frame - 1 })} label="Forrige snit" />
          <span className="num">
            Snit {frame + 1} af {frames}
          </span>
          <Step isOn={frame < frames - 1} to={look.hrefOf({ frame: frame + 1 })} label="Næste snit" />
          <Step isOn={frame < frames - 1} to={look.hrefOf({ frame: frame + 10 })} label="+10" name="10 snit frem" />
        </span>
      )}
    </>
  );
}

const signed = (step: number) => (step > 0 ? `+${step}` : step < 0 ? `−${-step}` : "0");

function Step({ isOn, to, label, name }: { isOn: boolean; to: string; label: string; name?: string }) {
  if (isOn) {
    return (
      <ButtonLink to={to} replace preventScrollReset size="small" aria-label={name}>
        {label}
      </ButtonLink>
    );
  }
  return (
    <span className={buttonClass({ size: "small" })} aria-disabled="true">
      {label}
    </span>
  );
}
