import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface PageHeadProps {
  title: string;
  /** The queue line: `<span><b>12</b> <a>afventer visitering</a></span>` … */
  queue?: ReactNode;
  /** Seldom used tools, at the end. */
  tools?: ReactNode;
}

/** The title of a page, what waits, and the tools. */
export function PageHead({ title, queue, tools }: PageHeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {queue && <div className="queue">{queue}</div>}
      {tools && <div className="page-tools">{tools}</div>}
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
  children: ReactNode;
}

/** Sticky at the foot of the page. Put it last inside `.page`. */
export function StickyBar({ label, form, still, children }: StickyBarProps) {
  return (
    <div className={classNames("bar", form && "bar-form", still && "bar-still")} role="group" aria-label={label}>
      <div className="row">{children}</div>
    </div>
  );
}
