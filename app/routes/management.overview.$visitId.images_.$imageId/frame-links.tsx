import { Link } from "@remix-run/react";
import { buttonClass } from "~/ui/forms/button";
import type { Adjustments } from "./use-adjustments";

export function FrameLinks({ adjustments }: { adjustments: Adjustments }) {
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
