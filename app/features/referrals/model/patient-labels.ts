import { facts, labelsIn } from "./facts";
import { eachAnswer } from "./known-none";

/** Labels of step 1's fields, in the form's order. */
export const patientLabels = {
  cpr6: "CPR-nummer, 6 cifre",
  cpr4: "CPR-nummer, 4 cifre",
  firstName: "Fornavn",
  lastName: "Efternavn",
  ...labelsIn("patient"),
  email: "E-mail",
  emailConfirm: "Gentag e-mail",
  ...eachAnswer((name) => facts[name].label),
  ...labelsIn("clinical", "health"),
  journals: "Journalfiler",
  ...labelsIn("referral", "urgency", "payment"),
  approval: "Behandlingsgodkendelse som fil",
  ...labelsIn("origin"),
};
export type PatientField = keyof typeof patientLabels;
