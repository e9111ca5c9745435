import { type PatientField, patientLabels } from "./patient-labels";
import {
  approvalTypes,
  clearByPayment,
  healthInsuranceTypes,
  labelOf,
  type PaymentFields,
  paymentTypes,
  takesApprovalFile,
} from "./referral";

interface Filled extends PaymentFields {
  visitType: string;
  externalId: string | null;
  addressProtected: boolean;
  address: string | null;
  zip: string | null;
  city: string | null;
}

const CHOICES: Partial<Record<PatientField, Parameters<typeof labelOf>[0]>> = {
  approvalType: approvalTypes,
  healthInsuranceType: healthInsuranceTypes,
};

/**
 * Questions before step 1 is saved, by field; a second submission confirms. Fields typed under another choice are not
 * saved, and an address of a protected patient must be confirmed. `approvalFiles` came with the form.
 */
export function confirmationQuestions(form: Filled, approvalFiles: readonly string[]): Record<string, string> {
  const leftOut = leftOutOf(form, approvalFiles);
  return {
    ...(leftOut.length > 0 && {
      paymentType: `Det gemmes ikke med dine valg (betaling: ${labelOf(paymentTypes, form.paymentType)}): ${leftOut.join(", ")}. Ret valgene, eller tryk Næste igen for at gå videre uden det.`,
    }),
    ...(form.addressProtected &&
      (form.address || form.zip || form.city) && {
        address: `${PROTECTED_ADDRESS_WARNING} Tøm felterne, eller tryk Næste igen for at gemme den alligevel.`,
      }),
  };
}

export const PROTECTED_ADDRESS_WARNING = "Patienten har hemmelig adresse, men der står en adresse her.";

function leftOutOf(form: Filled, approvalFiles: readonly string[]): string[] {
  const cleared = clearByPayment(form);
  const fields = (Object.keys(cleared) as (keyof PaymentFields)[]).filter((name) => cleared[name] !== form[name]);
  const parts = fields.map((name) =>
    labelled(
      name as PatientField,
      CHOICES[name as PatientField] ? labelOf(CHOICES[name as PatientField]!, Number(form[name])) : String(form[name]),
    ),
  );
  if (form.visitType !== "edi" && form.externalId !== null) parts.push(labelled("externalId", form.externalId));
  if (!takesApprovalFile(cleared)) parts.push(...approvalFiles.map((name) => labelled("approval", name)));
  return parts;
}

const labelled = (name: PatientField, value: string) => `${patientLabels[name]} (${value})`;
