import type { ReactNode } from "react";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface EmptyStateProps {
  /** 'Ingen data...' unless told. */
  title?: string;
  /** Why it is empty. */
  why?: ReactNode;
  /** The way on: a link or button. */
  action?: ReactNode;
  icon?: IconName;
}

/** In the place of a list. */
const blank = "flex flex-col items-center px-4 py-6 border rounded-panel bg-surface text-center";

/** A list without rows. */
export function EmptyState({ title = "Ingen data...", why, action, icon = "search" }: EmptyStateProps) {
  return (
    <div className={`${blank} border-line`}>
      <Icon name={icon} size={32} className="mb-2 text-ink2" />
      <b>{title}</b>
      {why && <p className="max-w-[480px] text-ink2">{why}</p>}
      {action}
    </div>
  );
}
