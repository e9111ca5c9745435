import { Link, type LinkProps } from "@remix-run/react";
import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface Toned {
  label: string;
  tone: Tone;
  icon: IconName;
}

/** A border where backgrounds are not drawn. */
const framedWithoutGround =
  "forced-colors:border forced-colors:border-current print:border print:border-ink print:bg-transparent print:text-ink";

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

/** A status as icon, text and colour. `cut` truncates it and keeps the title. */
export function StatusChip({ status, cut }: { status: Toned; cut?: boolean }) {
  return (
    <Chip tone={status.tone} icon={status.icon} title={cut ? status.label : undefined}>
      {cut ? <span className="truncate">{status.label}</span> : status.label}
    </Chip>
  );
}

export function StateText({ state, className }: { state: Toned; className?: string }) {
  return (
    <span className={classNames("state", toneClass[state.tone], className)}>
      <Icon name={state.icon} size={18} />
      <span>{state.label}</span>
    </span>
  );
}

export function FilterChip({ label, ...link }: { label: string } & Omit<LinkProps, "children" | "className">) {
  return (
    <Link
      {...link}
      discover="none"
      className={`inline-flex items-center max-w-full min-h-11 table:min-h-[26px] pl-3 pr-2 py-1 rounded-full bg-tint text-ink text-[14px] leading-[18px] no-underline ${framedWithoutGround}`}
      title={`Fjern filter: ${label}`}
    >
      <span className="sr-only">Fjern filter: </span>
      <span className="truncate">{label}</span>
      <Icon name="close" size={18} className="ml-1.5" />
    </Link>
  );
}

export function Badge({ children, label, className }: { children: ReactNode; label?: string; className?: string }) {
  return (
    <span
      className={classNames(
        "inline-block min-w-5 px-1.5 rounded-card bg-tint text-ink text-[12px] leading-5 font-semibold text-center",
        framedWithoutGround,
        className,
      )}
    >
      {children}
      {label && <span className="sr-only"> {label}</span>}
    </span>
  );
}

export function Tag({ children, title }: { children: ReactNode; title?: string }) {
  return (
    <span className="tag" title={title}>
      {children}
    </span>
  );
}

/** Meaning of a colour. Data names a tone; only this file knows its class. */
export type Tone =
  "new" | "urgent" | "ready" | "waiting" | "treatment" | "stopped" | "closed" | "ok" | "err" | "warn" | "info";

/** Written out, so that Tailwind finds them. */
export const toneClass: Record<Tone, string> = {
  new: "tone-new",
  urgent: "tone-urgent",
  ready: "tone-ready",
  waiting: "tone-waiting",
  treatment: "tone-treatment",
  stopped: "tone-stopped",
  closed: "tone-closed",
  ok: "tone-ok",
  err: "tone-err",
  warn: "tone-warn",
  info: "tone-info",
};
