import { type ReactNode, useEffect, useRef, useState } from "react";
import { type QueueItem, QueueLine } from "~/ui/lists/queue-line";
import { classNames } from "./class-names";

export interface PageHeadProps {
  title: string;
  queue?: readonly QueueItem[];
  note?: string;
  tools?: ReactNode;
}

export function PageHead({ title, queue, note, tools }: PageHeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      {queue && queue.length > 0 && (
        <div className="queue">
          <QueueLine items={queue} />
        </div>
      )}
      {note && (
        <p className="order-2 desk:order-none w-full desk:w-auto desk:flex-1 text-[14px] leading-5 text-ink2">{note}</p>
      )}
      {tools && <div className="push order-1 flex flex-wrap items-center pl-2 print:hidden">{tools}</div>}
    </div>
  );
}

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

/**
 * The buttons of a long form, in line with its fields. From 800 px of height the bar is at the window's foot while
 * something is changed, so that what was changed above can be saved from there.
 */
export function SaveBar({ children }: { children: ReactNode }) {
  const bar = useRef<HTMLDivElement>(null);
  const [isChanged, setChanged] = useState(false);
  useEffect(() => {
    const form = bar.current?.closest("form");
    const changed = () => setChanged(true);
    const sent = () => setChanged(false);
    form?.addEventListener("input", changed);
    form?.addEventListener("submit", sent);
    return () => {
      form?.removeEventListener("input", changed);
      form?.removeEventListener("submit", sent);
    };
  }, []);
  return (
    <div
      ref={bar}
      className={classNames(
        "bottom-0 -mx-4 -mb-4 px-4 py-4 bg-surface border-t border-line rounded-b-panel table:[&>.row]:pl-[272px]",
        isChanged &&
          "[@media(min-height:800px)]:stuck z-20 [@media(min-height:800px)]:[box-shadow:0_-6px_20px_var(--shade)]",
      )}
      data-bar
    >
      <div className="row">{children}</div>
    </div>
  );
}
