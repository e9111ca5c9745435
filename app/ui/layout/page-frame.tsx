import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface StickyBarProps {
  label: string;
  /** Aligns the action with FormPart fields in a `.panel-body`. */
  form?: boolean;
  still?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Sticky at the foot; must be last inside `.page`. */
export function StickyBar({ label, form, still, className, children }: StickyBarProps) {
  return (
    <div
      className={classNames(
        "bottom-0 mt-4 -mx-4 px-4 py-3 table:py-2.5 bg-surface border-t border-line print:hidden",
        form ? "table:-mb-4 table:rounded-b-panel table:[&>.row]:pl-[272px]" : "table:-mx-6 table:px-6",
        still ? "static" : "stuck z-20 [box-shadow:0_-6px_20px_var(--shade)]",
        className,
      )}
      data-bar
      role="group"
      aria-label={label}
    >
      <div className="row">{children}</div>
    </div>
  );
}
