import { z } from "zod";
import { factNames } from "~/features/referrals/model/facts";
import { choice, factFields } from "~/features/referrals/model/facts.server";
import { answerError, askedFacts, eachAnswer, knownAnswers, withAnswers } from "~/features/referrals/model/known-none";
import {
  cleanEmail,
  cprBoxes,
  cprOf,
  cprRule,
  optionalEmail,
  optionalLine,
  personName as name,
} from "~/text/fields.server";

const addressFields = { address: "Skriv patientens adresse.", zip: "Skriv postnr.", city: "Skriv byen." };

export function missingAddress(
  form: Partial<Record<keyof typeof addressFields, string | null>>,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(addressFields).filter(([field]) => !form[field as keyof typeof addressFields]),
  );
}

/** Numbers that may stay as they were stored before they were checked as today. */
export const KEPT_NUMBERS = ["phone", "mobilePhone"] as const;

const patientFields = z.object({
  ...cprBoxes,
  formKey: z.string().max(64),
  referralId: z.coerce.number().int().optional(),
  seenVersion: z.coerce.number().int().optional(),
  firstName: name("Skriv patientens fornavn."),
  lastName: name("Skriv patientens efternavn."),
  ...factFields(factNames),
  ...eachAnswer(() => z.enum(knownAnswers.map(({ value }) => value)).optional()),
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
  unchanged: z.array(z.enum(KEPT_NUMBERS)).optional(),
  email: optionalEmail,
  emailConfirm: optionalLine(254).transform((value) => value && cleanEmail(value)),
  /** Sent by forms that ask for `laterFacts`. Without it those facts keep their stored values. */
  withPrompts: z.literal("on").optional().catch(undefined),
  wasAsked: z.string().optional(),
  /** Set when step 2 is part of the form, for dentists who refer themselves. */
  withReferrer: z.literal("on").optional().catch(undefined),
  sendNotification: z.literal("on").optional().catch(undefined),
  radiographType: choice([0, 1, 2, 3, 4]).optional().catch(undefined),
  keepJournals: z
    .array(z.coerce.number().int())
    .optional()
    .transform((value) => value ?? []),
});

type Fields = Partial<z.output<typeof patientFields>>;

/** Rules over several fields; all are checked, so that all errors appear at once. */
const rules: {
  path: string;
  error: string | typeof cprRule.error | ((issue: { input: unknown }) => string);
  holds(form: Fields): boolean;
}[] = [
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
  ...askedFacts.map((fact) => ({
    path: fact,
    error: ({ input }: { input: unknown }) => answerError(fact, input as Fields) ?? "",
    holds: (form: Fields) => answerError(fact, form) === null,
  })),
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
  .transform(({ cpr6, cpr4, ...form }) => ({ ...withAnswers(form), cpr: cprOf({ cpr6, cpr4 }) ?? "" }));

export type PatientForm = z.output<typeof patientForm>;
