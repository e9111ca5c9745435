import type { ReactNode } from "react";

export interface InlineFact {
  label: string;
  value: ReactNode;
  /** The value explains itself: the label is for screen readers. */
  isPlain?: true;
  /** Sentences, which browsers may translate; other values are names, numbers and choices. */
  isProse?: true;
}

/** A fact that is left out where there is none. */
export const optional = (label: string, value: string | null | undefined, isPlain?: true): InlineFact[] =>
  value ? [{ label, value, ...(isPlain ? { isPlain } : {}) }] : [];

/** Facts that run on in a line, label before value. */
export function InlineFacts({ facts }: { facts: readonly InlineFact[] }) {
  return (
    <dl className="ref-facts">
      {facts.map(({ label, value, isPlain, isProse }) => (
        <div key={label}>
          <dt className={isPlain && "sr-only"}>{label}</dt>{" "}
          <dd translate={isProse ? "yes" : "no"}>{value || "–"}</dd>{" "}
        </div>
      ))}
    </dl>
  );
}
