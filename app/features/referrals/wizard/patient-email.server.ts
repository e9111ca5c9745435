import type { ReadContext } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import { findReferralEmail } from "~/features/referrals/store/referral-store.server";
import { emailKey } from "~/text/email.server";
import { emailTaken, isEmailTaken } from "~/features/referrals/store/patient-store.server";

/** For who deletes the last draft or referral of a patient. */
export { removeUnusedPatient } from "~/features/referrals/store/patient-store.server";

interface PatientAddress {
  cpr: string;
  email: string | null;
  referralId?: number | undefined;
}

/** The same without counting, for an address that stands on the caller's own referral: nothing is guessed at. */
export async function refuseOthersEmail(
  { db, portal }: Pick<ReadContext, "db" | "portal">,
  patient: { cpr: string; email: string },
): Promise<void> {
  if (await isEmailTaken(db, portal.secrets, patient)) throw emailTaken();
}

/**
 * Throws `patientEmailTaken` when another CPR number has the e-mail. Each check is counted before it is made, whatever it answers, so that past
 * the limit a patient's address is refused like anybody's (`tooManyAttempts`). An address that the referral has already is not asked about.
 */
export async function refuseTakenEmail(
  { db, portal, person }: Pick<ReadContext, "db" | "portal" | "person">,
  { cpr, email, referralId }: PatientAddress,
): Promise<void> {
  if (email === null) return;
  if (referralId !== undefined && (await findReferralEmail(db, person, referralId)) === emailKey(email)) return;
  await throttle(portal, "patientEmail", `person:${person.id}`);
  if (await isEmailTaken(db, portal.secrets, { cpr, email })) throw emailTaken();
}
