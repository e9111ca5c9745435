import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface PageHeadProps {
  title: string;
  /** The queue line: `<span><b>12</b> <a>afventer visitering</a></span>` … */
  queue?: ReactNode;
  /** Words in the place of a queue line. */
  note?: string;
  /** Seldom used tools, at the end. */
  tools?: ReactNode;
}

/** The title of a page, what waits, and the tools. */
export function PageHead({ title, queue, note, tools }: PageHeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {queue && <div className="queue">{queue}</div>}
      {note && (
        <p className="order-2 desk:order-none w-full desk:w-auto desk:flex-1 text-[14px] leading-5 text-ink2">{note}</p>
      )}
      {tools && <div className="push order-1 flex flex-wrap items-center pl-2 [&>.row]:mr-0 print:hidden">{tools}</div>}
    </div>
  );
}

export interface StickyBarProps {
  /** Names the group of actions. */
  label: string;
  /** Puts the action in line with the fields of a form made of FormParts in a `.panel-body`. */
  form?: boolean;
  /** Stands at the end of the page instead: there is nothing to act on yet. */
  still?: boolean;
  className?: string | undefined;
  children: ReactNode;
}

/** Sticky at the foot of the page. Put it last inside `.page`. */
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
