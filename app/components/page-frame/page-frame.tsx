import { useLocation } from "@remix-run/react";
import type { ReactNode } from "react";
import { paths } from "~/paths";
import { classNames } from "~/ui/layout/class-names";
import { type QueueItem, QueueLine } from "~/ui/lists/queue-line";

/** A '?' that opens the part of the help about a page; without a page, the help itself. */
export function HelpLink({ page }: { page?: string }) {
  return (
    <a href={page ? `${paths.help}#${page}` : paths.help} className="help" aria-label="Hjælp" title="Hjælp">
      ?
    </a>
  );
}

interface PageHeadProps {
  title: string;
  queue?: readonly QueueItem[];
  note?: string;
  tools?: ReactNode;
}

export function PageHead({ title, queue, note, tools }: PageHeadProps) {
  return (
    <div className="page-head">
      <h1>{title}</h1>
      <HelpLink page={useLocation().pathname.split("/")[2]} />
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

interface StickyBarProps {
  label: string;
  /** Aligns the action with FormPart fields in a `.panel-body`. */
  form?: boolean;
  still?: boolean;
  className?: string;
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
