import type { ReactNode } from "react";

/** A name or a number, which a browser that translates the page must leave as it is, and which may be written in another direction than Danish. */
export function Verbatim({ children, className }: { children: ReactNode; className?: string }) {
  return (
    <bdi translate="no" className={className}>
      {children}
    </bdi>
  );
}

/**
 * A text beside others that comes, changes or goes by script. A browser that translates the page puts elements of its own in the place of text nodes, which
 * React then cannot find: it is replaced together with its element.
 */
export const ChangingText = ({ text }: { text: string }) => <span key={text}>{text}</span>;
