import { type InlineIconName, inlineIcons } from "./inline-icons";

export interface InlineIconProps {
  name: InlineIconName;
  size?: number;
  className?: string;
}

export function InlineIcon({ name, size = 20, className }: InlineIconProps) {
  return (
    <svg className={className} width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <path d={inlineIcons[name]} />
    </svg>
  );
}
