/** The default choices of an untouched form of step 1. */
export const UNTOUCHED = {
  referenceType: "0",
  callType: "0",
  paymentType: "0",
  approvalType: "0",
  isHealthInsurance: "no",
  healthInsuranceType: "0",
  visitType: "simple",
} as const;

/** Of the form, not of the patient: kept in no copy. */
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
]);

/** The number itself, and what the form carries along unseen. */
const NOT_CONTENT: ReadonlySet<string> = new Set([
  ...FORM_FIELDS,
  "cpr6",
  "cpr4",
  "addressProtected",
  "withoutAddress",
  "seenVersion",
  // Of copies that were made before the version had this name.
  "version",
  // Whoever refers, not the patient.
  "sendNotification",
]);

/** Whether anything stands in a form of step 1 that another patient's number would make wrong: any text, any choice that was made. */
export function hasPatientContent(values: Record<string, unknown>): boolean {
  return Object.entries(values).some(([name, value]) => {
    if (NOT_CONTENT.has(name)) return false;
    const text = [value].flat().join("").trim();
    return text !== "" && text !== UNTOUCHED[name as keyof typeof UNTOUCHED];
  });
}
