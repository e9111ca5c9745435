import { clearByPayment, clearByUrgency, type FactIn, factsIn, factText, type FactValues } from "./facts";
import { patientLabels } from "./patient-labels";
import { labelOf, paymentTypes, takesApprovalFile } from "./referral";
import { otherTeethText, textsOnTeeth } from "./teeth";

type Filled = FactValues<
  | FactIn<"payment" | "urgency" | "origin">
  | ("referenceType" | "address" | "zip" | "city" | "teeth" | "desiredTreatment" | "diagnose")
> & { addressProtected: boolean };

/**
 * Questions before step 1 is saved, by field; a second submission confirms. Fields typed under another choice are not
 * saved, an address of a protected patient must be confirmed, and so must teeth that the text contradicts. `approvalFiles`
 * came with the form.
 */
export function confirmationQuestions(form: Filled, approvalFiles: readonly string[]): Record<string, string> {
  const leftOut = leftOutOf(form, approvalFiles);
  const otherTeeth = otherTeethText(form.teeth, textsOnTeeth(form));
  return {
    ...(otherTeeth !== null && { teeth: `${otherTeeth} Ret det, eller tryk Næste igen, hvis begge dele passer.` }),
    ...(clearByUrgency(form).urgentReason !== form.urgentReason && {
      referenceType: `${factText("urgentReason", form.urgentReason)} gemmes kun som årsag til en haste henvisning. Vælg Haste henvisning, eller tryk Næste igen for at gå videre uden årsagen.`,
    }),
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
  const parts = factsIn("payment")
    .filter((name) => cleared[name] !== form[name])
    .map((name) => labelled(name, String(factText(name, form[name]))));
  if (form.visitType !== "edi" && form.externalId !== null) parts.push(labelled("externalId", form.externalId));
  if (!takesApprovalFile(cleared)) parts.push(...approvalFiles.map((name) => labelled("approval", name)));
  return parts;
}

const labelled = (name: keyof typeof patientLabels, value: string) => `${patientLabels[name]} (${value})`;
