import type { ReactNode } from "react";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";

export interface EmptyStateProps {
  title?: string;
  why?: ReactNode;
  action?: ReactNode;
  icon?: IconName;
}

const blank = "flex flex-col items-center px-4 py-6 border rounded-panel bg-surface text-center";

export function EmptyState({ title = "Ingen data...", why, action, icon }: EmptyStateProps) {
  return (
    <div className={`${blank} border-line`}>
      {icon && <Icon name={icon} size={32} className="mb-2 text-ink2" />}
      <b>{title}</b>
      {why && <p className="max-w-[480px] text-ink2">{why}</p>}
      {action}
    </div>
  );
}
