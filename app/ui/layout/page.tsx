import type { HTMLAttributes, ReactNode } from "react";
import { classNames } from "./class-names";

export { PageHead, StickyBar } from "./page-frame";

export interface FormPartProps extends Pick<HTMLAttributes<HTMLElement>, "onInput"> {
  title: string;
  hint?: ReactNode;
  children: ReactNode;
}

/** A group of a form: title and hint left, fields right in at most 600 px; on phones one column. */
export function FormPart({ title, hint, children, ...rest }: FormPartProps) {
  return (
    <section {...rest} className="form-part">
      <div>
        <h2>{title}</h2>
        {hint && <p className="meta">{hint}</p>}
      </div>
      <div className="fields">{children}</div>
    </section>
  );
}

/** Two fields beside each other from 640 px. `narrow`: a short one before a long one (postnr., by). `top`: their hints differ in length. */
export function FieldRow({ narrow, top, children }: { narrow?: boolean; top?: boolean; children: ReactNode }) {
  return <div className={classNames("pair", narrow && "pair-narrow", top && "pair-top")}>{children}</div>;
}

export interface SectionProps {
  title: string;
  id?: string;
  /** Beside the title: '4 filer', 'Ikke sendt'. */
  note?: ReactNode;
  /** At the end of the line: 'Ret'. */
  tools?: ReactNode;
  className?: string;
  children: ReactNode;
}

/** A section of a referral: parted from the one before by a line, not boxed. */
export function Section({ title, id, note, tools, className, children }: SectionProps) {
  return (
    <section className={classNames("part", className)} id={id} aria-label={title}>
      <div className="part-head">
        <h3>{title}</h3>
        {note && <span className="meta">{note}</span>}
        {tools && <div className="push">{tools}</div>}
      </div>
      {children}
    </section>
  );
}

/** For screen readers only. */
export function VisuallyHidden({ children }: { children: ReactNode }) {
  return <span className="vh">{children}</span>;
}
