import { type ClinicalText, clinicalTexts, type HealthPrompt, healthPrompts } from "./clinical-facts";

export const patientLabels = {
  cpr6: "CPR-nummer, 6 cifre",
  cpr4: "CPR-nummer, 4 cifre",
  firstName: "Fornavn",
  lastName: "Efternavn",
  profession: "Stilling",
  address: "Adresse",
  zip: "Postnr.",
  city: "By",
  mobilePhone: "Mobil",
  phone: "Telefon",
  email: "E-mail",
  emailConfirm: "Gentag e-mail",
  ...(Object.fromEntries([...clinicalTexts, ...healthPrompts].map(({ name, label }) => [name, label])) as Record<
    ClinicalText | HealthPrompt,
    string
  >),
  journals: "Journalfiler",
  referenceType: "Hastegrad",
  callType: "Indkaldelse",
  paymentType: "Betaling",
  insuranceCompany: "Forsikringsselskab",
  policeClaim: "Police/skadesnr.",
  regionNumber: "EAN-nr.",
  regionInstitution: "Institution",
  regionAddress: "Institutionens adresse",
  regionZip: "Institutionens postnr.",
  regionCity: "Institutionens by",
  approvalType: "Behandlingsgodkendelse",
  approval: "Behandlingsgodkendelse som fil",
  isHealthInsurance: "Medlem",
  healthInsuranceType: "Gruppe",
  visitType: "Henvisning type",
  externalId: "EDI id",
} as const;
export type PatientField = keyof typeof patientLabels;

export interface ReceivedPatient {
  cpr: string;
  firstName: string;
  lastName: string;
  profession: string | null;
  address: string | null;
  zip: string | null;
  city: string | null;
  phone: string | null;
  mobilePhone: string | null;
  email: string | null;
}
