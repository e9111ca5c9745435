import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";

interface LineSectionProps {
  title: string;
  id: string;
  /** At the end of the title's line: 'Ret'. */
  tools?: ReactNode;
  /** A form or a table takes the whole width, under the title. */
  isWhole?: boolean;
  children: ReactNode;
}

/** A section that is read in a line or two: its title in the margin, what it says beside it. */
export function LineSection({ title, id, tools, isWhole, children }: LineSectionProps) {
  return (
    <section className="part ref-part" id={id} aria-label={title}>
      <h3>{title}</h3>
      {tools && <div className="ref-tools print:hidden">{tools}</div>}
      <div className={classNames("ref-body", isWhole && "ref-whole mt-3")}>{children}</div>
    </section>
  );
}
