import type { ReactNode } from "react";
import { type Opening, openingText } from "~/features/opening-hours/opening-hours";
import { card } from "~/ui/feedback/dialog";
import { Notice } from "~/ui/feedback/notice";
import { PhoneLink } from "~/ui/layout/phone-link";
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

export interface UrgentAdvice {
  /** The clinic's text; null or empty for the portal's own. */
  text: string | null;
  phone: string;
  /** Null where the clinic has set no hours. */
  opening: Opening | null;
}

/** Whom to ring about a patient who cannot wait until the referral is read. */
export const UrgentNotice = ({
  advice: { text, phone, opening },
  className,
}: {
  advice: UrgentAdvice;
  className?: string;
}) => (
  <Notice kind="warn" icon="urgent" title="Haster det?" className={className}>
    <span className="lined">
      {text || "Kan patienten ikke vente, til klinikken har læst henvisningen, så ring også til klinikken."}
    </span>{" "}
    Telefon <PhoneLink phone={phone} />
    {opening && `. ${openingText(opening)}`}
  </Notice>
);
