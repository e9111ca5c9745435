import { Link, useNavigate } from "@remix-run/react";
import { useImagePages, type ViewedReferral } from "~/components/referral-pages/use-image-pages";
import { filePaths } from "~/features/referrals/file-paths";
import { classNames } from "~/ui/layout/class-names";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { Chip } from "~/ui/lists/chip";
import type { Viewer } from "./present";
import type { Adjustments } from "./use-adjustments";
import type { Zoom } from "./use-pan-zoom";
import { useEffect, useRef } from "react";
import { MAX_TONE_STEPS } from "~/files/previews/preview-result";
import { buttonClass } from "~/ui/forms/button";

interface BarProps {
  referral: ViewedReferral;
  viewer: Viewer;
  adjustments: Adjustments;
  zoom: Zoom;
}

export function ViewerBar({ referral, viewer, adjustments, zoom }: BarProps) {
  const { image } = viewer;
  const pages = useImagePages(referral.id);
  return (
    <header className="viewer-bar">
      <div className="viewer-who">
        <Tool to={pages.images} icon="back" label={`Tilbage til henvisning nr. ${referral.id}`} />
        <h1 translate="no">{referral.patientName}</h1>
        <span className="num" translate="no">
          {referral.cpr}
        </span>
        {referral.age !== null && <span className="viewer-more">{referral.age} år</span>}
        <span className="viewer-more">nr. {referral.id}</span>
        {referral.isUrgent && (
          <Chip tone="urgent" icon="urgent">
            Haster
          </Chip>
        )}
      </div>
      <nav className="viewer-which" aria-label="Billeder">
        <span className="viewer-more">
          <b>{image.typeLabel}</b> {image.exposure ?? image.arrival}
        </span>
        <Tool
          to={viewer.previousId === null ? null : adjustments.hrefOfOther(viewer.previousId)}
          icon="left"
          label="Forrige billede"
          rel="prev"
        />
        <span className="num whitespace-nowrap">
          {viewer.number} af {viewer.count}
        </span>
        <Tool
          to={viewer.nextId === null ? null : adjustments.hrefOfOther(viewer.nextId)}
          icon="right"
          label="Næste billede"
          rel="next"
        />
      </nav>
      <Tools referral={referral} viewer={viewer} adjustments={adjustments} zoom={zoom} />
    </header>
  );
}

function Tools({ referral, viewer: { image, nextId, previousId }, adjustments, zoom }: BarProps) {
  const hydrated = useHydrated();
  const otherId = nextId ?? previousId;
  const isAlone = adjustments.besideId === null;
  return (
    <div className="viewer-tools" role="toolbar" aria-label="Værktøjer">
      {hydrated ? (
        <>
          <Press icon="fit" label="Tilpas" isOn={zoom.isFitted} onClick={zoom.fit} />
          <Press label="1:1" isOn={zoom.isFull} onClick={zoom.full} />
          <Press icon="minus" label="Zoom ud" onClick={() => zoom.zoomBy(1 / 1.5)} />
          <Press icon="plus" label="Zoom ind" onClick={() => zoom.zoomBy(1.5)} />
        </>
      ) : (
        <>
          <Tool to={adjustments.hrefOf({ isFull: false })} icon="fit" label="Tilpas" isOn={!adjustments.isFull} />
          <Tool to={adjustments.hrefOf({ isFull: true, turn: 0 })} label="1:1" isOn={adjustments.isFull} />
        </>
      )}
      <span className="viewer-rule" />
      {(["lys", "kontrast"] as const).map((panel) => (
        <Tool
          key={panel}
          to={adjustments.hrefOf({ tonePanel: adjustments.tonePanel === panel ? null : panel })}
          icon={panel === "lys" ? "brightness" : "contrast"}
          label={panel === "lys" ? "Lys" : "Kontrast"}
          isOn={adjustments.tonePanel === panel}
        />
      ))}
      <Tool
        to={adjustments.hrefOf({ isInverted: !adjustments.isInverted })}
        icon="invert"
        label="Invertér"
        isOn={adjustments.isInverted}
      />
      <Tool
        to={adjustments.hrefOf({ turn: adjustments.turned, ...(hydrated ? {} : { isFull: false }) })}
        icon="rotate"
        label="Rotér"
        isOn={adjustments.turn !== 0}
      />
      {otherId !== null && (
        <Tool
          to={adjustments.hrefOf({ besideId: isAlone ? otherId : null })}
          icon="compare"
          label={isAlone ? "Sammenlign med et andet billede" : "Vis ét billede"}
          isOn={!isAlone}
          className="viewer-beside"
        />
      )}
      <span className="viewer-rule" />
      <a
        className="viewer-tool"
        href={filePaths.referralFile(referral.id, image.id)}
        download={image.name}
        title="Hent original"
      >
        <Icon name="download" label="Hent original" />
      </a>
      <Tool
        to={adjustments.hrefOf({ isStripFolded: !adjustments.isStripFolded })}
        icon="strip"
        label={adjustments.isStripFolded ? "Vis henvisningen" : "Skjul henvisningen"}
        isOn={!adjustments.isStripFolded}
        className="viewer-fold"
      />
    </div>
  );
}

interface ToolProps {
  to: string | null;
  icon?: IconName;
  label: string;
  isOn?: boolean;
  rel?: "prev" | "next";
  className?: string;
}

function Tool({ to, icon, label, isOn, rel, className }: ToolProps) {
  const shown = icon ? <Icon name={icon} label={label} /> : label;
  const classes = classNames("viewer-tool", isOn && "viewer-on", className);
  if (to === null) {
    return (
      <span className={classes} aria-disabled="true">
        {shown}
      </span>
    );
  }
  return (
    <Link
      to={to}
      rel={rel}
      replace={icon !== "back"}
      preventScrollReset
      className={classes}
      title={label}
      aria-current={isOn === undefined ? undefined : isOn}
    >
      {shown}
    </Link>
  );
}

interface PressProps {
  icon?: IconName;
  label: string;
  isOn?: boolean;
  onClick: () => void;
}

function Press({ icon, label, isOn, onClick }: PressProps) {
  return (
    <button
      type="button"
      className={classNames("viewer-tool", isOn && "viewer-on")}
      title={label}
      aria-pressed={isOn}
      onClick={onClick}
    >
      {icon ? <Icon name={icon} label={label} /> : label}
    </button>
  );
}

const toneSettings = [
  { key: "brightness", panel: "lys", label: "Lys", less: "Mørkere", more: "Lysere" },
  { key: "contrast", panel: "kontrast", label: "Kontrast", less: "Mindre kontrast", more: "Mere kontrast" },
] as const;
type ToneSetting = (typeof toneSettings)[number];

const small = buttonClass({ variant: "plain", size: "small", fit: "icon" });

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
  // Dragging on the image and 'Nulstil' change the value too, and the slider must follow.
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
