import { Link } from "@remix-run/react";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { useEditPage } from "./use-edit-page";

/** 'Ret' on a section's line; opens its form in place. */
export function EditLink({
  referralId,
  part,
  icon = "edit",
  label,
  children = "Ret",
}: {
  referralId: number;
  part: string;
  icon?: IconName;
  label?: string;
  children?: string;
}) {
  return (
    <Link
      to={useEditPage(referralId, part).edit}
      className={buttonClass({ variant: "plain", size: "small", fit: "tight" })}
      preventScrollReset
      aria-label={label}
    >
      <Icon name={icon} size={18} className="mr-1.5" />
      <span>{children}</span>
    </Link>
  );
}
