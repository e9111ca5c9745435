import type { ReactNode } from "react";
import { classNames } from "~/ui/layout/class-names";

interface LineSectionProps {
  title: string;
  id: string;
  /** 'Ret' at the end of the title line. */
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
