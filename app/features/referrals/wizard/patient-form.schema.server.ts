import { z } from "zod";
import {
  cprBoxes,
  cprOf,
  cprRule,
  optionalEmail,
  optionalLine,
  optionalMobilePhone,
  optionalPhone,
  optionalText as optional,
  personName as name,
  requiredText as required,
  cleanEmail,
} from "~/text/fields.server";
import { eachPrompt } from "~/features/referrals/model/clinical-facts";
import { CLINICAL_LIMIT } from "~/text/limits";

const choice = (...values: number[]) =>
  z.coerce.number({ error: "Vælg en mulighed." }).refine((value) => values.includes(value), "Vælg en mulighed.");

const addressFields = { address: "Skriv patientens adresse.", zip: "Skriv postnr.", city: "Skriv byen." };

export function missingAddress(
  form: Partial<Record<keyof typeof addressFields, string | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addressFields).filter(([field]) => !form[field as keyof typeof addressFields]),
  );
}

/** Answers to the prompts beside the diagnosis; null where there is none. */
export const promptFields = eachPrompt((prompt, limit) =>
  prompt === "interpreter" ? optionalLine(limit) : optional(limit),
);

/** Numbers that may stay as they were stored before they were checked as today. */
export const KEPT_NUMBERS = ["phone", "mobilePhone"] as const;

const patientFields = z.object({
  ...cprBoxes,
  formKey: z.string().max(64),
  referralId: z.coerce.number().int().optional(),
  seenVersion: z.coerce.number().int().optional(),
  visitType: z.enum(["simple", "edi"]).default("simple"),
  externalId: optionalLine(40),
  firstName: name("Skriv patientens fornavn."),
  lastName: name("Skriv patientens efternavn."),
  profession: optional(100),
  address: optional(200),
  zip: optionalLine(20),
  city: optionalLine(100),
  /** Set by 'Hent adresse'; saving asks the register again (save-patient.server.ts). */
  addressProtected: z
    .literal("on")
    .optional()
    .catch(undefined)
    .transform((value) => value === "on"),
  /** Set by 'Hent adresse' for a person without fixed abode; saving asks the register again. */
  withoutAddress: z
    .literal("on")
    .optional()
    .catch(undefined)
    .transform((value) => value === "on"),
  phone: optionalPhone,
  mobilePhone: optionalMobilePhone,
  unchanged: z.array(z.enum(KEPT_NUMBERS)).optional(),
  email: optionalEmail,
  emailConfirm: optionalLine(254).transform((value) => value && cleanEmail(value)),
  referenceType: choice(0, 1).default(0),
  callType: choice(0, 1, 2).default(0),
  paymentType: choice(0, 1, 2, 3).default(0),
  insuranceCompany: optional(200),
  policeClaim: optional(100),
  regionNumber: optional(40),
  regionAddress: optional(200),
  regionInstitution: optional(200),
  regionZip: optional(20),
  regionCity: optional(100),
  approvalType: choice(0, 1, 2, 3).default(0),
  diagnose: optional(CLINICAL_LIMIT),
  previousTreatment: optional(CLINICAL_LIMIT),
  desiredTreatment: required("Skriv den ønskede behandling.", CLINICAL_LIMIT),
  comment: optional(CLINICAL_LIMIT),
  ...promptFields,
  /** Set by forms with these fields: a caller who does not know of them empties none. */
  withPrompts: z.literal("on").optional().catch(undefined),
  isHealthInsurance: z
    .enum(["yes", "no"])
    .default("no")
    .transform((value) => value === "yes"),
  healthInsuranceType: choice(0, 1, 2, 3).default(0),
  wasAsked: z.string().optional(),
  /** Set when step 2 is part of the form, for dentists who refer themselves. */
  withReferrer: z.literal("on").optional().catch(undefined),
  sendNotification: z.literal("on").optional().catch(undefined),
  radiographType: choice(0, 1, 2, 3, 4).optional().catch(undefined),
  keepJournals: z
    .array(z.coerce.number().int())
    .optional()
    .transform((value) => value ?? []),
});

type Fields = Partial<z.output<typeof patientFields>>;

/** Rules over several fields; all are checked, so that all errors appear at once. */
const rules: { path: string; error: string | typeof cprRule.error; holds(form: Fields): boolean }[] = [
  cprRule,
  ...Object.entries(addressFields).map(([path, message]) => ({
    path,
    error: message,
    holds: (form: Fields) =>
      form.addressProtected === true || form.withoutAddress === true || !(path in missingAddress(form)),
  })),
  {
    path: "externalId",
    error: "Skriv EDI id med tal.",
    holds: ({ visitType, externalId }) => visitType !== "edi" || /^\d+$/.test(externalId ?? ""),
  },
  // The customer's wording (docs/rules/referral-form.md).
  {
    path: "emailConfirm",
    error: "Email does not match",
    holds: ({ email: first, emailConfirm }) => (first ?? null) === (emailConfirm ?? null),
  },
];

export const patientForm = rules
  .reduce(
    (form, { path, error, holds }) => form.refine(holds, { path: [path], error, when: () => true }),
    patientFields,
  )
  .transform(({ cpr6, cpr4, ...form }) => ({ ...form, cpr: cprOf({ cpr6, cpr4 }) ?? "" }));

export type PatientForm = z.output<typeof patientForm>;
