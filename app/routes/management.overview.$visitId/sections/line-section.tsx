import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";

interface LineSectionProps {
  title: string;
  id: string;
  tools?: ReactNode;
  isWhole?: boolean;
  children: ReactNode;
}

export function LineSection({ title, id, tools, isWhole, children }: LineSectionProps) {
  return (
    <section className="part ref-part" id={id} aria-label={title}>
      <h3>{title}</h3>
      {tools && <div className="ref-tools print:hidden">{tools}</div>}
      <div className={classNames("ref-body", isWhole && "ref-whole mt-3")}>{children}</div>
    </section>
  );
}

interface InlineFact {
  label: string;
  value: ReactNode;
  /** The label is for screen readers only. */
  isPlain?: true;
  isProse?: true;
}

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
