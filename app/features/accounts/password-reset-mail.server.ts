import { renderMail } from "~/features/delivery/render-mail.server";

export function passwordResetMail({
  name,
  userName,
  link,
  hours,
  productName,
  supportEmail,
}: {
  name: string;
  userName: string;
  link: string;
  hours: number;
  productName: string;
  supportEmail: string;
}) {
  return renderMail({
    productName,
    subject: `Vælg en ny adgangskode til ${productName}`,
    paragraphs: [
      `Hej ${name}.`,
      `Du har bedt om en ny adgangskode til ${productName}. Dit brugernavn er ${userName}. Vælg adgangskoden her inden for ${hours} timer:`,
      { link, text: "Vælg ny adgangskode" },
      `Har du ikke bedt om det, skal du ikke gøre noget: din adgangskode er uændret. Er du i tvivl, så skriv til ${supportEmail}.`,
    ],
  });
}
