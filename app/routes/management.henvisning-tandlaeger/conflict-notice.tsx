import {
  approvalTypes,
  callTypes,
  type Choice,
  labelOf,
  paymentTypes,
  referenceTypes,
} from "~/features/referrals/model/referral";
import { patientLabels } from "~/features/referrals/model/patient-labels";
import { SavedNow } from "~/components/saved-now/saved-now";
import { useActionResult } from "~/http/forms/use-action-result";
import { SummaryList } from "~/ui/lists/summary-list";
import type { WizardData } from "./wizard-data";

type Patient = NonNullable<WizardData["saved"]>;

/** Choices of compared fields. */
const choices: Partial<Record<keyof Patient, readonly Choice[]>> = {
  referenceType: referenceTypes,
  callType: callTypes,
  paymentType: paymentTypes,
  approvalType: approvalTypes,
};
const compared = Object.entries(patientLabels).filter(
  ([name]) =>
    !["emailConfirm", "visitType", "approval", "journals", "isHealthInsurance", "healthInsuranceType"].includes(name),
) as [keyof Patient, string][];

/** After a conflict: saved values that differ from typed ones, so that nobody overwrites them unknowingly. */
export function ConflictNotice({ formId, wizard }: { formId: string; wizard: WizardData }) {
  const answer = useActionResult(formId);
  const typed = (answer?.submission?.initialValue ?? {}) as Partial<Record<string, string>>;
  const saved = (wizard.saved ?? wizard.patient) as Partial<Patient> | null;
  const differing = compared.flatMap(([name, label]) => {
    const value = saved?.[name] ?? "";
    const ofChoice = choices[name];
    // Fields not shown, such as an approval for Egenbet, have the first choice.
    if (value === (typed[name] ?? (ofChoice ? "0" : ""))) return [];
    return [{ label, value: ofChoice ? labelOf(ofChoice, Number(value)) : value }];
  });
  return (
    <SavedNow formId={formId} button="Næste">
      <SummaryList facts={differing} />
    </SavedNow>
  );
}
