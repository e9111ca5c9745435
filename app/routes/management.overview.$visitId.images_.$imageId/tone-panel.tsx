import { Link, useNavigate } from "@remix-run/react";
import { useEffect, useRef } from "react";
import { MAX_TONE_STEPS } from "~/files/previews/preview-result";
import { buttonClass } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import type { Adjustments } from "./use-adjustments";

const toneSettings = [
  { key: "brightness", panel: "lys", label: "Lys", less: "Mørkere", more: "Lysere" },
  { key: "contrast", panel: "kontrast", label: "Kontrast", less: "Mindre kontrast", more: "Mere kontrast" },
] as const;
type ToneSetting = (typeof toneSettings)[number];

const small = buttonClass({ variant: "plain", size: "small", fit: "icon" });

/** Light and contrast: sliders, or links without JavaScript. Dragging on the image also changes them. */
export function TonePanel({ adjustments }: { adjustments: Adjustments }) {
  const hydrated = useHydrated();
  const isChanged = adjustments.brightness !== 0 || adjustments.contrast !== 0;
  return (
    <div className="tone-panel" role="group" aria-label="Lys og kontrast">
      {toneSettings.map((tone) =>
        hydrated ? (
          <Slider key={tone.key} tone={tone} adjustments={adjustments} />
        ) : (
          <Steps key={tone.key} tone={tone} adjustments={adjustments} />
        ),
      )}
      {isChanged && (
        <Link
          to={adjustments.hrefOf({ brightness: 0, contrast: 0 })}
          replace
          preventScrollReset
          className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
        >
          Nulstil
        </Link>
      )}
      <Link to={adjustments.hrefOf({ tonePanel: null })} replace preventScrollReset className={small}>
        <Icon name="close" label="Luk lys og kontrast" />
      </Link>
    </div>
  );
}

function Slider({ tone, adjustments }: { tone: ToneSetting; adjustments: Adjustments }) {
  const navigate = useNavigate();
  const saved = adjustments[tone.key];
  const box = useRef<HTMLInputElement>(null);
  // Dragging and 'Nulstil' also move the slider; while dragged, it leads.
  useEffect(() => {
    if (box.current) box.current.value = String(saved);
  }, [saved]);
  const isChosen = adjustments.tonePanel === tone.panel;
  useEffect(() => {
    if (isChosen) box.current?.focus({ preventScroll: true });
  }, [isChosen]);
  return (
    <label className="tone">
      <Icon name={tone.key} />
      <span>{tone.label}</span>
      <input
        ref={box}
        type="range"
        min={-MAX_TONE_STEPS}
        max={MAX_TONE_STEPS}
        step={1}
        defaultValue={saved}
        onChange={({ target }) =>
          navigate(adjustments.hrefOf({ [tone.key]: Number(target.value) }), {
            replace: true,
            preventScrollReset: true,
          })
        }
      />
      <output className="num">{signed(saved)}</output>
    </label>
  );
}

function Steps({ tone, adjustments }: { tone: ToneSetting; adjustments: Adjustments }) {
  const value = adjustments[tone.key];
  return (
    <span className="tone">
      <Icon name={tone.key} />
      <span>{tone.label}</span>
      <Step
        to={value > -MAX_TONE_STEPS ? adjustments.hrefOf({ [tone.key]: value - 1 }) : null}
        icon="minus"
        label={tone.less}
      />
      <output className="num">{signed(value)}</output>
      <Step
        to={value < MAX_TONE_STEPS ? adjustments.hrefOf({ [tone.key]: value + 1 }) : null}
        icon="plus"
        label={tone.more}
      />
    </span>
  );
}

function Step({ to, icon, label }: { to: string | null; icon: "plus" | "minus"; label: string }) {
  const shown = <Icon name={icon} label={label} />;
  return to === null ? (
    <span className={small} aria-disabled="true">
      {shown}
    </span>
  ) : (
    <Link to={to} replace preventScrollReset className={small}>
      {shown}
    </Link>
  );
}

const signed = (step: number) => (step > 0 ? `+${step}` : step < 0 ? `−${-step}` : "0");
