/// <reference types="@remix-run/dev" />
import type { IconName } from "./icon-names";
import sheet from "./icons.svg";

export type IconSize = 16 | 18 | 20 | 24 | 32;

const sizeClass: Record<IconSize, string> = { 16: "size-4", 18: "size-4.5", 20: "size-5", 24: "size-6", 32: "size-8" };

export interface IconProps {
  name: IconName;
  /** The accessible name. Without it the icon is decoration and hidden from screen readers. */
  label?: string;
  /** Pixels; 20 unless told. */
  size?: IconSize;
  className?: string;
}

/**
 * An icon from the one sheet (app/ui/icons/icons.svg, written by scripts/icons.mjs). The sheet is a hashed,
 * immutable file, so a repeated row costs one short `<use>` instead of a path.
 * Public pages must be one request: they use InlineIcon.
 */
export function Icon({ name, label, size = 20, className }: IconProps) {
  const classes = className ? `${sizeClass[size]} ${className}` : sizeClass[size];
  const use = <use href={`${sheet}#${name}`} />;
  return label ? (
    <svg className={classes} role="img" aria-label={label}>
      <title>{label}</title>
      {use}
    </svg>
  ) : (
    <svg className={classes} aria-hidden="true">
      {use}
    </svg>
  );
}
