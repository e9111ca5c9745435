import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";

export interface Fact {
  label: string;
  /** Empty values show as '–'. */
  value: ReactNode;
  /** Takes the whole line: long text. */
  wide?: boolean;
}

/** Facts to read, label above value, as many columns as fit. */
export function SummaryList({ facts }: { facts: readonly Fact[] }) {
  return (
    <dl className="facts">
      {facts.map((fact) => (
        <div key={fact.label} className={classNames(fact.wide && "all")}>
          <dt>{fact.label}</dt>
          <dd>{fact.value === null || fact.value === undefined || fact.value === "" ? "–" : fact.value}</dd>
        </div>
      ))}
    </dl>
  );
}
