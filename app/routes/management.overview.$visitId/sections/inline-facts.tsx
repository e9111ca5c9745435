import type { ReactNode } from "react";

export interface InlineFact {
  label: string;
  value: ReactNode;
  /** The label is for screen readers only. */
  isPlain?: true;
  isProse?: true;
}

/** A fact that is omitted without a value. */
export const optional = (label: string, value: string | null | undefined, isPlain?: true): InlineFact[] =>
  value ? [{ label, value, ...(isPlain ? { isPlain } : {}) }] : [];

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
