import { Link } from "@remix-run/react";
import { buttonClass } from "~/ui/forms/button";
import type { ShownLook } from "./use-look";

/** Through the frames of a volume or a film. */
export function FrameLinks({ look }: { look: ShownLook }) {
  const { frame, frames } = look;
  return (
    <div className="stage-tools" role="group" aria-label="Snit">
      <Step to={frame > 0 ? look.hrefOf({ frame: frame - 10 }) : null} label="−10" name="10 snit tilbage" />
      <Step to={frame > 0 ? look.hrefOf({ frame: frame - 1 }) : null} label="Forrige snit" />
      <span className="num px-2">
        Snit {frame + 1} af {frames}
      </span>
      <Step to={frame < frames - 1 ? look.hrefOf({ frame: frame + 1 }) : null} label="Næste snit" />
      <Step to={frame < frames - 1 ? look.hrefOf({ frame: frame + 10 }) : null} label="+10" name="10 snit frem" />
    </div>
  );
}

function Step({ to, label, name }: { to: string | null; label: string; name?: string }) {
  const look = buttonClass({ variant: "plain", size: "small", fit: "tight" });
  if (to === null) {
    return (
      <span className={look} aria-disabled="true">
        {label}
      </span>
    );
  }
  return (
    <Link to={to} replace preventScrollReset className={look} aria-label={name}>
      {label}
    </Link>
  );
}
