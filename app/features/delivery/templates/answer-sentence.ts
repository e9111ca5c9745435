import type { Receiver } from "./template-kinds";

interface ClinicContact {
  clinicName: string;
  phone: string;
  email: string;
  web: string;
}

/**
 * Last sentence of every mail: nobody reads the sender's address, so it says where to answer, as far as the clinic has
 * configured it. To the clinic it only says that answers are not read.
 */
export function answerSentence({ clinicName, phone, email, web }: ClinicContact, receiver: Receiver): string {
  const where = [
    phone && `ring i stedet til ${clinicName} på ${phone}`,
    email && `skriv i stedet til ${clinicName} på ${email}`,
    web && `se i stedet, hvordan ${clinicName} kan kontaktes, på ${web}`,
  ].find(Boolean);
  if (receiver === "clinic" || !where) return "Denne mail kan ikke besvares.";
  return `Denne mail kan ikke besvares: ${where}.`;
}
