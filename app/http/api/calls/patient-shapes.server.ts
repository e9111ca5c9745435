import { z } from "zod";
import { id } from "~/http/api/api-route.server";
import { visit } from "./visit-shapes.server";

const text = z.string().optional();
const choice = z.int().optional();

/** Text fields of the write model, sent only when not empty. */
export const patientFields = {
  ExternalId: text,
  Cpr: z.string({ error: "Skriv patientens CPR-nummer." }),
  FirstName: text,
  LastName: text,
  Profession: text,
  Address: text,
  Zip: text,
  City: text,
  Phone: text,
  MobilePhone: text,
  Email: text,
  ReferenceType: choice,
  CallType: choice,
  PaymentType: choice,
  InsuranceCompany: text,
  PoliceClaim: text,
  RegionNumber: text,
  RegionAddress: text,
  RegionInstitution: text,
  RegionZip: text,
  RegionCity: text,
  AppropriationType: choice,
  AppropriationFileName: text,
  Diagnose: text,
  PreviousTreatment: text,
  DesiredTreatment: text,
  Comment: text,
  IsHealthInsurance: z.boolean().optional(),
  HealthInsuranceType: choice,
  AttachedJournalsToKeep: z.array(id).optional(),
};

const otherwise: Record<string, string> = { AppropriationType: "approvalType", AttachedJournalsToKeep: "keepJournals" };
const ownName = (name: string) => otherwise[name] ?? name.charAt(0).toLowerCase() + name.slice(1);

export const patientNames: Record<string, string> = {
  ...Object.fromEntries(Object.keys(patientFields).map((name) => [ownName(name), name])),
  cpr6: "Cpr",
  cpr4: "Cpr",
  emailConfirm: "Email",
  approval: "AppropriationData",
  journals: "Journals",
};

/** The input of step 1's form. An address may be missing only if the register confirms protection. */
export function patientInput({ Cpr, ...sent }: z.output<z.ZodObject<typeof patientFields>>): Record<string, unknown> {
  const fields = Object.fromEntries(Object.entries(sent).map(([name, value]) => [ownName(name), value]));
  return {
    ...fields,
    cpr6: Cpr.slice(0, 6),
    cpr4: Cpr.slice(6).replace(/^-/, ""),
    visitType: sent.ExternalId === undefined ? "simple" : "edi",
    emailConfirm: sent.Email,
    isHealthInsurance: sent.IsHealthInsurance ? "yes" : "no",
    addressProtected: "on",
  };
}

export const patientRead = visit.pick({
  version: true,
  externalId: true,
  cpr: true,
  firstName: true,
  lastName: true,
  address: true,
  zip: true,
  city: true,
  desiredTreatment: true,
  profession: true,
  mobilePhone: true,
  phone: true,
  email: true,
  referenceType: true,
  callType: true,
  paymentType: true,
  insuranceCompany: true,
  policeClaim: true,
  regionNumber: true,
  regionAddress: true,
  regionInstitution: true,
  regionZip: true,
  regionCity: true,
  appropriationType: true,
  appropriationFileName: true,
  diagnose: true,
  previousTreatment: true,
  comment: true,
  isHealthInsurance: true,
  healthInsuranceType: true,
  journalFiles: true,
  journalFileNames: true,
});
