import { z } from "zod";
import { joinCprBoxes, parseCpr } from "~/text/cpr";
import { optionalText as optional, personName as name, requiredText as required, text } from "~/text/fields.server";

const choice = (...values: number[]) => z.coerce.number({ error: "Vælg en mulighed." }).refine((value) => values.includes(value), "Vælg en mulighed.");
const email = text(254).pipe(z.union([z.literal(""), z.email({ error: "Skriv en e-mail-adresse, fx navn@eksempel.dk, eller lad feltet stå tomt." })]));
const CLINICAL = 4000;

const cprBoxes = z.object({
  cpr6: z.string({ error: "Skriv patientens CPR-nummer." }).trim().max(20),
  cpr4: z.string().trim().max(10).optional(),
});

const addressFields = { address: "Skriv patientens adresse.", zip: "Skriv postnr.", city: "Skriv byen." };

/** What is missing of the address, by field; the person register alone can say that none is needed (design/decisions.md, CPR numbers). */
export function missingAddress(form: Partial<Record<keyof typeof addressFields, string | null>>): Record<string, string> {
  return Object.fromEntries(Object.entries(addressFields).filter(([field]) => !form[field as keyof typeof addressFields]));
}

/** The write model of step 1 (specification 2 §3, Referral form) with its rules (2 §5). Answers the CPR as `DDMMYY-XXXX`. */
export const patientForm = cprBoxes
  .extend({
    formKey: z.string().max(64),
    referralId: z.coerce.number().int().optional(),
    version: z.coerce.number().int().optional(),
    visitType: z.enum(["simple", "edi"]).default("simple"),
    externalId: optional(40),
    firstName: name("Skriv patientens fornavn."),
    lastName: name("Skriv patientens efternavn."),
    profession: optional(100),
    address: optional(200),
    zip: optional(20),
    city: optional(100),
    /** Set by 'Hent adresse'; whoever saves asks the register again (save-patient.server.ts). */
    addressProtected: z.literal("on").optional().catch(undefined).transform((value) => value === "on"),
    phone: optional(40),
    mobilePhone: optional(40),
    email: email.optional().transform((value) => value || null),
    emailConfirm: text(254).optional().transform((value) => value || null),
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
    diagnose: optional(CLINICAL),
    previousTreatment: optional(CLINICAL),
    desiredTreatment: required("Skriv den ønskede behandling.", CLINICAL),
    comment: optional(CLINICAL),
    isHealthInsurance: z.enum(["yes", "no"]).default("no").transform((value) => value === "yes"),
    healthInsuranceType: choice(0, 1, 2, 3).default(0),
    keepJournals: z.array(z.coerce.number().int()).optional().transform((value) => value ?? []),
  })
  .superRefine((form, context) => {
    const issue = (path: string, message: string) => context.addIssue({ code: "custom", path: [path], message });
    for (const [field, message] of form.addressProtected ? [] : Object.entries(missingAddress(form))) issue(field, message);
    if (parseCpr(joinCprBoxes(form.cpr6, form.cpr4 ?? "")) === null) issue("cpr6", "CPR-nummeret skal være en dato på seks cifre og fire tegn, fx 251248-9996.");
    if (form.visitType === "edi" && !/^\d+$/.test(form.externalId ?? "")) issue("externalId", "Skriv EDI id med tal.");
    // The specification's own words (2 §5).
    if (form.email !== form.emailConfirm && !(form.email === null && form.emailConfirm === null)) issue("emailConfirm", "Email does not match");
  })
  .transform(({ cpr6, cpr4, ...form }) => ({ ...form, cpr: parseCpr(joinCprBoxes(cpr6, cpr4 ?? "")) ?? "" }));

export type PatientForm = z.output<typeof patientForm>;
