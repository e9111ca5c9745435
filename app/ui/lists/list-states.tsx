import type { ReactNode } from "react";
import { Icon } from "~/ui/icons/icon";

export interface ErrorStateProps {
  /** What was not done: 'Listen kunne ikke hentes.' */
  title: string;
  /** What to do. */
  advice?: ReactNode;
  /** The offer to try again. */
  action?: ReactNode;
}

/** A part of a page that could not be shown. */
export function ErrorState({ title, advice, action }: ErrorStateProps) {
  return (
    <div className="blank blank-err" role="alert">
      <Icon name="failed" size={32} />
      <b>{title}</b>
      {advice && <p>{advice}</p>}
      {action}
    </div>
  );
}

/** Still bars in the place of rows to come: `rows` × 40 px, the final height. */
export function LoadingBars({ rows = 5, label = "Henter" }: { rows?: number; label?: string }) {
  return (
    <div className="loading" role="status">
      <span className="vh">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true">
          <i />
          <i />
          <i />
          <i />
        </div>
      ))}
    </div>
  );
}
