import type { ReactNode } from "react";
import { card } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { Verbatim } from "~/ui/layout/translation";

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

export const InfoNotice = ({ body, action }: { body: string; action: ReactNode }) => (
  <Notice kind="info" title="Information." action={action} className="phone:[&>div]:basis-[220px]">
    <span className="lined">{body}</span>
  </Notice>
);

interface WizardIntroductionProps {
  text: string | null;
  supportEmail: string;
  supportPhone: string;
}

export const WizardIntroduction = ({ text, supportEmail, supportPhone }: WizardIntroductionProps) => (
  <p className="meta lined [.errors+&]:mt-3">
    {text || "Når du går videre til næste trin, gemmes henvisningen som kladde."} Har du brug for hjælp, så skriv til{" "}
    <a href={`mailto:${supportEmail}`} translate="no">
      {supportEmail}
    </a>{" "}
    eller ring på <Verbatim className="whitespace-nowrap">{supportPhone}</Verbatim>.
  </p>
);
