import type { ReadContext } from "~/access/operation.server";
import { throttle } from "~/access/throttle.server";
import { findReferralEmail } from "~/features/referrals/store/referral-store.server";
import { emailKey } from "~/text/email.server";
import { emailTaken, isEmailTaken } from "~/features/referrals/store/patient-store.server";

export { removeUnusedPatient } from "~/features/referrals/store/patient-store.server";

interface PatientAddress {
  cpr: string;
  email: string | null;
  referralId?: number | undefined;
}

/** Checks an e-mail without counting, for an address on the caller's own referral. */
export async function refuseOthersEmail(
  { db, portal }: Pick<ReadContext, "db" | "portal">,
  patient: { cpr: string; email: string },
): Promise<void> {
  if (await isEmailTaken(db, portal.secrets, patient)) throw emailTaken();
}

/**
 * Throws `patientEmailTaken` if another CPR number has the e-mail. Attempts are counted before the check, so that past
 * the limit known and unknown addresses are refused alike (`tooManyAttempts`). The referral's own address is not
 * checked.
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
