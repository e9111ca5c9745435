import type { ReactNode } from "react";
import { blank } from "~/ui/feedback/empty-state";
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
    <div className={`${blank} border-err`} role="alert">
      <Icon name="failed" size={32} className="mb-2 text-ink2" />
      <b>{title}</b>
      {advice && <p className="max-w-[480px] text-ink2">{advice}</p>}
      {action}
    </div>
  );
}

const bar = "h-2.5 mr-5 rounded-sm bg-line";

/** Still bars in the place of rows to come: `rows` × 40 px, the final height. */
export function LoadingBars({ rows = 5, label = "Henter" }: { rows?: number; label?: string }) {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} aria-hidden="true" className="flex items-center h-10 border-b border-line">
          <i className={`${bar} flex-1`} />
          <i className={`${bar} flex-[2]`} />
          <i className={`${bar} ${index % 2 === 0 ? "flex-[3]" : "flex-[2]"}`} />
          <i className={`${bar} flex-[2]`} />
        </div>
      ))}
    </div>
  );
}
