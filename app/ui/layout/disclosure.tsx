import type { ReactNode } from "react";
import { buttonClass } from "~/ui/forms/button";
import { classNames } from "./class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface DisclosureProps {
  title: ReactNode;
  /** Summary at the end of the line: 'Ingen endnu', '9 hændelser'. */
  note?: ReactNode;
  open?: boolean;
  id?: string;
  line?: boolean;
  quiet?: boolean;
  className?: string;
  children: ReactNode;
}

/** Folds empty or rarely used content to one line; works without JavaScript. */
export function Disclosure({ title, note, open, id, line, quiet, className, children }: DisclosureProps) {
  return (
    <details className={classNames(line && "border-t border-line [form+&]:mt-4", className)} open={open} id={id}>
      <summary
        className={`flex items-center min-h-11 table:min-h-[38px] py-1 rounded-sm no-marker ${quiet ? "text-primary-ink" : "text-ink font-semibold"}`}
      >
        <Icon name="right" className="mr-2 text-primary-ink [[open]>summary>&]:[transform:rotate(90deg)]" />
        <span className="min-w-0 break-anywhere">{title}</span>
        {note && (
          <span className="meta flex-none max-w-[55%] ml-auto pl-3 font-normal text-right break-anywhere">{note}</span>
        )}
      </summary>
      <div className="pt-1 pb-3">{children}</div>
    </details>
  );
}

/** Content unfolding over the page; `.pop` on its details closes it (use-popovers.ts). */
export const popBody = "absolute z-30 right-0 mt-1 p-4 bg-surface border border-line2 rounded-panel shadow-float";

export function Popover({ label, icon, children }: { label: string; icon?: IconName; children: ReactNode }) {
  return (
    <details className="pop relative inline-block">
      <summary className={`${buttonClass({ variant: "plain" })} no-marker`}>
        {icon && <Icon name={icon} size={18} className="mr-2" />}
        <span>{label}</span>
        <Icon name="down" size={18} className="ml-2" />
      </summary>
      <div className={`${popBody} min-w-[260px]`}>{children}</div>
    </details>
  );
}
