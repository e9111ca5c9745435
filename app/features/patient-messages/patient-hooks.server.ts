import { NOT_IN_EBOKS, RECEIVER_UNKNOWN } from "~/features/delivery/delivery-status";
import type { ClaimedMessage, KindHooks, NotNow, ChangedRecipient } from "~/features/delivery/kind-hooks";
import { findMessageReferral } from "~/features/referrals/details/messaged-referral.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/status";
import type { Portal } from "~/portal.server";
import { contactOf } from "./compose.server";
import { makeLetterFile } from "./letter-file.server";
import { markWithoutEboks } from "./patient-message-store.server";
import { recipientOf } from "./recipient";
import { registerVerdict } from "./register-verdict";
import { obstacleTexts } from "./ways";

/** The states of a patient who cannot be reached by e-Boks. */
const UNREACHABLE_BY_EBOKS: readonly number[] = [NOT_IN_EBOKS, RECEIVER_UNKNOWN];

/** What goes for every message to a patient: it is judged anew just before it leaves, since days may have passed. */
export const patientHooks: KindHooks = {
  async recheck(portal, message) {
    const referral = await messagedReferral(portal, message);
    if (referral?.status === CLOSED || referral?.status === DECLINED)
      return { outcome: "withdrawn", detail: "Henvisningen er afsluttet, eller patienten ønsker ikke behandlingen" };
    return recheckPatient(portal, message);
  },
  makeFile: makeLetterFile,
  async onSettled({ tx }, message, { outcome, code }) {
    const { channel, referralId } = message;
    if (channel === "eboks" && outcome === "failed" && referralId !== null && UNREACHABLE_BY_EBOKS.includes(code))
      await markWithoutEboks(tx, referralId);
  },
};

/** The same for what a patient is owed when the treatment is over too: bills, and the way to the files. */
export const afterTreatmentHooks: KindHooks = { ...patientHooks, recheck: recheckPatient };

const messagedReferral = async ({ db }: Portal, { referralId }: ClaimedMessage) =>
  referralId === null ? undefined : await findMessageReferral(db, referralId);

async function recheckPatient(portal: Portal, message: ClaimedMessage): Promise<NotNow | ChangedRecipient | null> {
  const referral = await messagedReferral(portal, message);
  if (referral === undefined || referral.deleted_at !== null)
    return { outcome: "withdrawn", detail: "Henvisningen er slettet" };
  const patient = contactOf(portal, referral);
  const recipient = recipientOf(message.channel, patient);
  if ("obstacle" in recipient) {
    const { obstacle } = recipient;
    const detail = obstacleTexts[obstacle];
    return obstacle === "isTest"
      ? { outcome: "withdrawn", detail }
      : { outcome: "failed", detail, reason: obstacle, code: RECEIVER_UNKNOWN };
  }
  // A test referral's patient is not in the register.
  const verdict =
    patient.isTest || patient.cpr === null
      ? null
      : registerVerdict(message.channel, await portal.personRegister.find(patient.cpr), portal);
  if (verdict !== null) return verdict;
  // What stands on the referral now is where it goes: never to an address that was changed meanwhile.
  return recipient.to === message.to ? null : { to: recipient.to };
}
