import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";

export interface Fact {
  label: string;
  value: ReactNode;
  wide?: boolean;
  isProse?: true;
}

const LINES = "text-meta [&>div]:grid [&>div]:grid-cols-[116px_minmax(0,1fr)] [&>div]:py-px";

const GRID =
  "grid grid-cols-[repeat(auto-fill,minmax(132px,1fr))] table:grid-cols-[repeat(auto-fill,minmax(180px,1fr))] [grid-gap:12px_24px]";

interface SummaryListProps {
  facts: readonly Fact[];
  inLines?: boolean;
}

export function SummaryList({ facts, inLines = false }: SummaryListProps) {
  return (
    <dl className={inLines ? LINES : GRID}>
      {facts.map((fact) => (
        <div key={fact.label} className={classNames(fact.wide && "col-span-full")}>
          <dt className="meta">{fact.label}</dt>
          <dd translate={fact.isProse ? "yes" : "no"}>
            {fact.value === null || fact.value === undefined || fact.value === "" ? "–" : fact.value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
