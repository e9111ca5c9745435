/** Whether the name of a referral belongs to its CPR number, as stored. */
export const nameQuestions = {
  none: 0,
  /** Another referral of the number has another name. */
  otherReferral: 1,
  /** Staff said that it is the same person. */
  answered: 2,
  /** The person register has another name. */
  register: 3,
} as const;

const OPEN: readonly number[] = [nameQuestions.otherReferral, nameQuestions.register];

export const isNameOpen = (question: number) => OPEN.includes(question);

export const OTHER_NAME = "Andet navn til CPR-nummeret";

export interface OtherName {
  source: "referral" | "register";
  /** The other referral; null once it is gone, and for the register, whose answer is not stored. */
  referral: { id: number; name: string } | null;
}

export const otherNameText = ({ source, referral }: OtherName) =>
  source === "register"
    ? "CPR-registret har et andet navn til CPR-nummeret."
    : referral === null
      ? "En anden henvisning med CPR-nummeret har et andet navn."
      : `CPR-nummeret har navnet ${referral.name} i henvisning nr. ${referral.id}.`;
