import { type Opening, openingText } from "~/features/opening-hours/opening-hours";
import { Notice } from "~/ui/feedback/notice";
import { PhoneLink } from "~/ui/layout/phone-link";

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
