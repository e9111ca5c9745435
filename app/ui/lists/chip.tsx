import { Link, type LinkProps } from "@remix-run/react";
import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { type Tone, toneClass } from "./tone";

export interface Toned {
  label: string;
  tone: Tone;
  icon: IconName;
}

/** A word with a ground. */
export function Chip({
  tone = "info",
  icon,
  title,
  children,
}: {
  tone?: Tone;
  icon?: IconName;
  title?: string;
  children: ReactNode;
}) {
  return (
    <span className={`chip ${toneClass[tone]}`} title={title}>
      {icon && <Icon name={icon} size={18} />}
      {children}
    </span>
  );
}

/** A status as icon, word and colour. `cut` shortens a long label to its column and keeps it whole in the title. */
export function StatusChip({ status, cut }: { status: Toned; cut?: boolean }) {
  return (
    <Chip tone={status.tone} icon={status.icon} title={cut ? status.label : undefined}>
      {cut ? <span className="cut">{status.label}</span> : status.label}
    </Chip>
  );
}

/** The state of a delivery or an export: icon, word and colour, without a ground. */
export function StateText({ state, className }: { state: Toned; className?: string }) {
  return (
    <span className={classNames("state", toneClass[state.tone], className)}>
      <Icon name={state.icon} size={18} />
      <span>{state.label}</span>
    </span>
  );
}

/** An active filter; the whole chip is the link that removes it. */
export function FilterChip({ label, ...link }: { label: string } & Omit<LinkProps, "children" | "className">) {
  return (
    <Link {...link} discover="none" className="fchip" title={`Fjern filter: ${label}`}>
      <span className="vh">Fjern filter: </span>
      <span className="cut">{label}</span>
      <Icon name="close" size={18} />
    </Link>
  );
}

/** A count. `label` says what is counted, for screen readers. */
export function Badge({ children, label }: { children: ReactNode; label?: string }) {
  return (
    <span className="badge">
      {children}
      {label && <span className="vh"> {label}</span>}
    </span>
  );
}

/** A short framed word, such as EDI. */
export function Tag({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className="tag" title={title}>
      {children}
    </span>
  );
}
