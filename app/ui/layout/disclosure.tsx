import type { ReactNode } from "react";
import { classNames } from "./class-names";
import { Icon } from "~/ui/icons/icon";

export interface DisclosureProps {
  title: ReactNode;
  note?: ReactNode;
  open?: boolean;
  id?: string;
  line?: boolean;
  quiet?: boolean;
  className?: string;
  children: ReactNode;
}

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

export const popBody = "absolute z-30 right-0 mt-1 p-4 bg-surface border border-line2 rounded-panel shadow-float";
