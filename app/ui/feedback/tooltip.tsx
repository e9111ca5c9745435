import { type ReactNode, useId, useState } from "react";

export interface TooltipProps {
  /** What the tooltip says. Never the only place of something needed. */
  text: string;
  /** The accessible name of the button, when its content is an icon. */
  label?: string;
  children: ReactNode;
}

/** A short explanation on hover, keyboard focus and touch, by CSS; Escape puts it away (script). */
export function Tooltip({ text, label, children }: TooltipProps) {
  const id = useId();
  const [off, setOff] = useState(false);
  return (
    <span className="tip" onMouseLeave={() => setOff(false)}>
      <button
        type="button"
        aria-label={label}
        aria-describedby={id}
        onKeyDown={(event) => event.key === "Escape" && setOff(true)}
        onBlur={() => setOff(false)}
        onClick={(event) => event.currentTarget.focus()}
      >
        {children}
      </button>
      <span role="tooltip" id={id} className={off ? "tip-text tip-off" : "tip-text"}>
        {text}
      </span>
    </span>
  );
}
