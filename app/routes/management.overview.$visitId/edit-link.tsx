import { Link } from "@remix-run/react";
import { Icon } from "~/ui/icons/icon";
import type { IconName } from "~/ui/icons/icon-names";
import { useEditPage } from "./use-edit-page";

/** 'Ret' at the end of a section's line; opens its form in its place. */
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
    <Link to={useEditPage(referralId, part).edit} className="btn btn-plain btn-s" preventScrollReset aria-label={label}>
      <Icon name={icon} size={18} />
      <span>{children}</span>
    </Link>
  );
}
