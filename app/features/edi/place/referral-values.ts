import type { Party, ReferralLetter, ReferringPerson } from "~/features/edi/reading/letter";
import { CLINICAL_LIMIT } from "~/text/limits";

const clip = (text: string, maxLength: number, end: string) =>
  text.length <= maxLength ? text : `${text.slice(0, maxLength - end.length)}${end}`;

/** The stored letter keeps the whole text. */
const clinical = (text: string | null) =>
  text === null ? null : clip(text, CLINICAL_LIMIT, "\n… (afkortet: resten står i EDI-brevet)");

const short = (text: string | null, maxLength: number) => (text === null ? null : text.slice(0, maxLength).trimEnd());

const named = (text: string) =>
  text
    .replace(/[<>{}[\]\\|\d]/g, " ")
    .replace(/\s+/g, " ")
    .trim()
    .slice(0, 100) || "–";

const priorities: Readonly<Record<string, string>> = {
  elektiv: "elektiv",
  akut: "akut",
  saerlige_forhold: "særlige forhold",
};

/** 'elektiv' or nothing is ordinary; an unknown code is treated as urgent. */
const isUrgent = (priority: string | null) => priority !== null && priority !== "elektiv";

export function valuesOfReferral(letter: Omit<ReferralLetter, "objects">) {
  const { patient } = letter;
  const diagnoses = letter.diagnoses.map(({ code, text }) =>
    code === null || code === text ? text : `${code} ${text}`,
  );
  const [main] = letter.diagnoses;
  const wanted = [letter.purpose, letter.reason].flatMap((text) => text ?? []).join("\n") || main?.text;
  return {
    firstName: named(patient.firstName),
    lastName: named(patient.lastName),
    profession: short(patient.profession, 100),
    address: short(patient.address, 200),
    zip: short(patient.zip, 20),
    city: short(patient.city, 100),
    phone: short(patient.phone, 40),
    mobilePhone: short(patient.mobilePhone, 40),
    email: patient.email,
    referenceType: isUrgent(letter.priority) ? 1 : 0,
    diagnose: clinical(diagnoses.join("\n") || null),
    previousTreatment: clinical(letter.anamnesis),
    desiredTreatment: clinical(wanted ?? "Ikke angivet i EDI-henvisningen")!,
    comment: clinical(commentOf(letter)),
    allergies: clinical(letter.cave),
    medication: clinical(letter.medicine),
    responsibleDentist: responsibleOf(letter.sender, letter.referrer),
  };
}

function commentOf(letter: Omit<ReferralLetter, "objects">): string | null {
  const { priority, examination, supplementary, relative, transport, links } = letter;
  const parts: readonly (readonly [string, string | null])[] = [
    ["Hastegrad i brevet", isUrgent(priority) ? (priorities[priority!] ?? priority) : null],
    ["Undersøgelser", examination],
    ["Supplerende", supplementary],
    ["Pårørende", relative],
    ["Transport", transport === "ingen" || transport === "TX" ? null : transport],
    ["Henviser til", links.join(", ") || null],
  ];
  return parts.flatMap(([label, text]) => (text === null ? [] : `${label}: ${text}`)).join("\n\n") || null;
}

export function responsibleOf(sender: Party, referrer: ReferringPerson | null): string {
  const person = [referrer?.title, referrer?.name].filter(Boolean).join(" ") || sender.unit;
  const number = sender.identifier === null ? null : `${sender.identifierCode ?? "nummer"} ${sender.identifier}`;
  const ean = sender.ean === null ? null : `lokationsnummer ${sender.ean}`;
  return [person, sender.organisation, number, ean].filter(Boolean).join(", ").slice(0, 200);
}

/** EDI ids are digits only: the sender's number if it is that, else the message's id. */
export const ediIdOf = (letterId: string, messageId: number) =>
  /^\d{1,14}$/.test(letterId) ? letterId : String(messageId);
