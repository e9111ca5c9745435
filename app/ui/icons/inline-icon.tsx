import { type InlineIconName, inlineIcons } from "./inline-icons";

export interface InlineIconProps {
  name: InlineIconName;
  /** Pixels; 20 unless told. */
  size?: number;
  className?: string;
}

/** An icon that carries its own path. For public pages (one request) and for parts used on both kinds of page. Always decoration: the words stand beside it. */
export function InlineIcon({ name, size = 20, className }: InlineIconProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={inlineIcons[name]} />
    </svg>
  );
}
