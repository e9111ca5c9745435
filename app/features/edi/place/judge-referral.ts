import type { EdiReason } from "~/features/edi/edi-states";
import type { ReferralLetter } from "~/features/edi/reading/letter";
import type { PersonAnswer } from "~/gateways/person-register/port";
import { birthDate } from "~/text/cpr";
import { namesAgree } from "./names-agree";

export interface KnownOfPatient {
  register: PersonAnswer;
  isRegisterReal: boolean;
  /** Name in the newest earlier referral of the CPR number; null without one. */
  earlier: { firstName: string; lastName: string } | null;
}

const DEAD = "90";

/** Why a received referral needs a person's decision; null if it does not. */
export function judgeReferral(
  { status, patient }: Pick<ReferralLetter, "status" | "patient">,
  { register, isRegisterReal, earlier }: KnownOfPatient,
): EdiReason | null {
  if (status === "cancelled") return "cancelled";
  if (status === "corrected") return "corrected";
  if (patient.cpr === null) return "noCpr";
  const born = birthDate(patient.cpr);
  if (patient.birthDate !== null && born !== null && patient.birthDate !== born) return "birthDateDiffers";
  if (register.kind === "notFound" && isRegisterReal && isRegistered(patient.cpr)) return "notInRegister";
  if (register.kind === "found" && !namesAgree(patient, register)) return "registerNameDiffers";
  if (register.kind === "found" && register.status === DEAD) return "dead";
  if (earlier !== null && !namesAgree(patient, earlier)) return "nameDiffers";
  return register.kind === "unavailable" ? "registerSilent" : null;
}

/** Replacement numbers contain letters and are in no register. */
const isRegistered = (cpr: string) => /^\d{6}-\d{4}$/.test(cpr);
