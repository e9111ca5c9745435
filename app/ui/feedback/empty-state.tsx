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

/** A list without rows. */
export function EmptyState({ title = "Ingen data...", why, action, icon = "search" }: EmptyStateProps) {
  return (
    <div className="blank">
      <Icon name={icon} size={32} />
      <b>{title}</b>
      {why && <p>{why}</p>}
      {action}
    </div>
  );
}
