import type { ReactNode } from "react";

/** A name or number: not to be translated, and with its own text direction. */
export function Verbatim({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <bdi translate="no" className={className}>
      {children}
    </bdi>
  );
}

/**
 * Text changed by script beside other text. Translators replace text nodes, which React then cannot find, so it is
 * replaced with its element.
 */
export const ChangingText = ({ text }: { text: string }) => <span key={text}>{text}</span>;
