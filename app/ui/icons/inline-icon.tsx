import { type InlineIconName, inlineIcons } from "./inline-icons";

export interface InlineIconProps {
  name: InlineIconName;
  size?: number;
  className?: string;
}

/** An icon with its own path, for public pages and shared parts. Always decorative. */
export function InlineIcon({ name, size = 20, className }: InlineIconProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={inlineIcons[name]} />
    </svg>
  );
}
