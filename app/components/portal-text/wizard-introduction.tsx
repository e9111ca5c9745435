import { Verbatim } from "~/ui/layout/translation";

interface WizardIntroductionProps {
  /** The clinic's own text; empty uses the portal's. */
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
