/** Address that calls a number. */
export const telephone = (phone: string) => `tel:${phone.replace(/ /g, "")}`;

/** A number that calls; its groups of digits stay on one line. */
export const PhoneLink = ({ phone }: { phone: string }) => (
  <a href={telephone(phone)} translate="no">
    {phone.replace(/ /g, "\u00a0")}
  </a>
);
