import type { ReactNode } from "react";
import { buttonClass } from "~/ui/forms/button";
import { classNames } from "./class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface DisclosureProps {
  title: ReactNode;
  /** What it holds, at the end of the line: 'Ingen endnu', '9 hændelser'. */
  note?: ReactNode;
  open?: boolean;
  id?: string;
  /** A line above, for sections that follow each other. */
  line?: boolean;
  children: ReactNode;
}

/** Something empty or seldom, folded to one line. Works without script. */
export function Disclosure({ title, note, open, id, line, children }: DisclosureProps) {
  return (
    <details className={classNames("fold", line && "fold-line")} open={open} id={id}>
      <summary>
        <Icon name="right" />
        <span>{title}</span>
        {note && <span className="meta">{note}</span>}
      </summary>
      <div className="fold-body">{children}</div>
    </details>
  );
}

/** A small panel under a quiet button: tools that are seldom used. */
export function Popover({ label, icon, children }: { label: string; icon?: IconName; children: ReactNode }) {
  return (
    <details className="pop">
      <summary className={`${buttonClass({ variant: "plain" })} no-marker`}>
        {icon && <Icon name={icon} size={18} className="mr-2" />}
        <span>{label}</span>
        <Icon name="down" size={18} className="ml-2" />
      </summary>
      <div className="pop-body">{children}</div>
    </details>
  );
}
