import type { ReactNode } from "react";
import { classNames } from "./class-names";

export interface FormPartProps {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A form group: title and hint left, fields right in at most 600 px; one column on phones. */
export function FormPart({ title, hint, children }: FormPartProps) {
  return (
    <section className="py-6 border-t border-line first-of-type:border-t-0 table:grid table:grid-cols-[248px_minmax(0,600px)] table:grid-gap-6">
      <div className="mb-3 table:mb-0">
        <h2>{title}</h2>
        {hint && <p className="meta">{hint}</p>}
      </div>
      <div className="fields">{children}</div>
    </section>
  );
}

/** Two fields side by side from 640 px. `narrow`: short before long; `top`: hints of different length. */
export function FieldRow({ narrow, top, children }: { narrow?: boolean; top?: boolean; children: ReactNode }) {
  return (
    <div
      className={classNames(
        "[&>*+*]:mt-4 tablet:[&>*+*]:mt-0 tablet:grid tablet:grid-gap-4 tablet:max-w-[600px]",
        narrow ? "tablet:grid-cols-[112px_1fr]" : "tablet:grid-cols-[1fr_1fr]",
        top ? "tablet:items-start" : "tablet:items-end",
      )}
    >
      {children}
    </div>
  );
}

export interface SectionProps {
  title: string;
  id?: string;
  note?: ReactNode;
  tools?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Section({ title, id, note, tools, className, children }: SectionProps) {
  return (
    <section className={classNames("part", className)} id={id} aria-label={title}>
      <div className="flex flex-wrap items-center mb-3 -mx-1 [&>*]:mx-1">
        <h3>{title}</h3>
        {note && <span className="meta">{note}</span>}
        {tools && <div className="push">{tools}</div>}
      </div>
      {children}
    </section>
  );
}
