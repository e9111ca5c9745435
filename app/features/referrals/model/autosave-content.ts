import { typedFacts, unknownFacts } from "~/features/referrals/model/facts";
import { typedAnswers } from "./known-none";

export const UNTOUCHED = { ...typedFacts(unknownFacts), ...typedAnswers(unknownFacts) };

export const FORM_FIELDS: ReadonlySet<string> = new Set([
  "ticket",
  "begun",
  "item",
  "intent",
  "defaultIntent",
  "formId",
  "formKey",
  "here",
  "to",
  "sentTo",
  "referralId",
  "typedFor",
  "continued",
  "wasAsked",
  "withReferrer",
  "withPrompts",
  "radiographType",
]);

const NOT_CONTENT: ReadonlySet<string> = new Set([
  ...FORM_FIELDS,
  "cpr6",
  "cpr4",
  "addressProtected",
  "withoutAddress",
  "seenVersion",
  "version",
  "opened",
  // Belongs to the referrer, not the patient.
  "sendNotification",
]);

/** Whether step 1 has any text or choice that would be wrong for another patient. */
export function hasPatientContent(values: Record<string, unknown>): boolean {
  return Object.entries(values).some(([name, value]) => {
    if (NOT_CONTENT.has(name)) return false;
    const text = [value].flat().join("").trim();
    return text !== "" && text !== UNTOUCHED[name as keyof typeof UNTOUCHED];
  });
}
