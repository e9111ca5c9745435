export interface Choice {
  value: number;
  label: string;
}

export const referenceTypes: readonly Choice[] = [
  { value: 0, label: "Almindelig" },
  { value: 1, label: "Haste henvisning" },
];
export const URGENT = 1;

/** Why a referral is urgent. */
export const urgentReasons: readonly Choice[] = [
  { value: 0, label: "Ikke oplyst" },
  { value: 1, label: "Hævelse" },
  { value: 2, label: "Feber" },
  { value: 3, label: "Trismus eller synkebesvær" },
  { value: 4, label: "Blødning" },
  { value: 5, label: "Mistanke om malignitet" },
  { value: 6, label: "Andet" },
];

export const UNKNOWN_TREATMENT = -100;

export const SEND_RADIOGRAPHS = "Send røntgenbilleder til patienten";
export const FORCE_EXPORT = "Gennemtving eksport af røntgenbilleder";

export const callTypes: readonly Choice[] = [
  { value: 0, label: "Ringer selv" },
  { value: 1, label: "Har en tid" },
  { value: 2, label: "Bedes indkaldt" },
];

export const visitTypes = [
  { value: "simple", label: "Normal henvisning" },
  { value: "edi", label: "EDI henvisning" },
] as const;

export const paymentTypes: readonly Choice[] = [
  { value: 0, label: "Egenbet" },
  { value: 1, label: "Forsikringssag" },
  { value: 2, label: "Regionstandpleje" },
  { value: 3, label: "BUT" },
];
export const INSURANCE = 1;
export const isRegional = (paymentType: number) => paymentType === 2 || paymentType === 3;

export const approvalTypes: readonly Choice[] = [
  { value: 0, label: "Uploades nu" },
  { value: 1, label: "Sendes med post" },
  { value: 2, label: "Sendes på e-mail" },
  { value: 3, label: "Intet ekstra materiale" },
];
export const UPLOADED_NOW = 0;
const NO_EXTRA_MATERIAL = 3;

export const healthInsuranceTypes: readonly Choice[] = [
  { value: 0, label: "Basis" },
  { value: 3, label: "Gruppe5" },
  { value: 1, label: "Gruppe1" },
  { value: 2, label: "Gruppe2" },
];

export const radiographsSendTypes: readonly Choice[] = [
  { value: 0, label: "Uploades nu" },
  { value: 1, label: "Sendes med post" },
  { value: 2, label: "Sendes med krypteret mail/EDI" },
  { value: 3, label: "Intet ekstra materiale" },
];

/** Label of a sending type after submission: for 'Uploades nu' it tells whether there is a file. */
export function sentLabelOf(choices: typeof approvalTypes, value: number, hasFile: boolean): string {
  if (value !== UPLOADED_NOW) return labelOf(choices, value);
  return hasFile ? "Sendt gennem portalen" : "Ingen fil vedhæftet";
}

export const labelOf = (choices: readonly Choice[], value: number) =>
  choices.find((choice) => choice.value === value)?.label ?? "–";

/** Approvals of a payment: only the first for Egenbet, no 'Intet ekstra materiale' for Forsikringssag. */
export function approvalTypesFor(paymentType: number): readonly Choice[] {
  return approvalTypes.filter(({ value }) => approvalAfter(paymentType, value) === value);
}

export function approvalAfter(paymentType: number, approvalType: number): number {
  return paymentType === 0 || (paymentType === INSURANCE && approvalType === NO_EXTRA_MATERIAL)
    ? UPLOADED_NOW
    : approvalType;
}

export function takesApprovalFile({
  paymentType,
  approvalType,
}: {
  paymentType: number;
  approvalType: number;
}): boolean {
  return paymentType !== 0 && approvalType === UPLOADED_NOW;
}

/** Archive states: nothing to send, under way, failed, archived. */
export const EXPORT_NO_DATA = 0;
export const EXPORT_PLANNED = 1;
export const EXPORT_FAILED = 2;
export const EXPORT_ARCHIVED = 3;

export const WIZARD_UNEXPECTED_ERROR = "Server error. Noget gik galt. Prøv igen senere.";
