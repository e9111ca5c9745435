import type { ReactNode } from "react";
import { card } from "~/ui/feedback/dialog";

export function ConditionsCard({
  body,
  notice,
  level: Heading,
  children,
}: {
  body: string;
  notice?: ReactNode;
  level: "h1" | "h4";
  children: ReactNode;
}) {
  return (
    <section className={`${card} stack`} aria-labelledby="betingelser">
      <Heading id="betingelser">Betingelser</Heading>
      {notice}
      <p className="lined">{body}</p>
      {children}
    </section>
  );
}
