import { external } from "~/access/operation.server";
import { applyStatus } from "~/features/referrals/status/set-status.server";
import { IN_TREATMENT } from "~/features/referrals/model/status";
import { patientContact, refuseTakenContact, saveContact } from "~/features/referrals/details/save-contact.server";
import { isLoggedSince, insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { formIdOf } from "./operations.server";
import { withdrawPlanned } from "./send-call-up.server";

const EVENT = "Patienten har fået tid pr. telefon";

/**
 * 'Patienten har fået tid pr. telefon' (POST /Incall/sendCallUpPhone): saves the contact fields, withdraws a call-up that waits, and moves
 * the status to 6. Pressed again while the referral has that status, it is noted once. Throws `patientEmailTaken`, `conflict` and `notInScope`.
 */
export const callUpByPhone = external({
  name: "callUpByPhone",
  permission: "patientMessage.send",
  idempotent: true,
  input: patientContact,
  prepare: refuseTakenContact,
  async run(context, input) {
    const { tx, actor, now, auditChange } = context;
    const saved = await saveContact(context, input);
    const isWithdrawn = await withdrawPlanned(context, saved);
    const { status, status_since: since, status_version: seenVersion } = await lockReferral(tx, actor, saved.id);
    const isNoted =
      status === IN_TREATMENT && since !== null && (await isLoggedSince(tx, saved.id, { event: EVENT, since }));
    if (!isNoted || isWithdrawn) {
      await insertVisitLogEntry(tx, actor, { referralId: saved.id, status: IN_TREATMENT, event: EVENT }, now);
      await applyStatus(context, { referralId: saved.id, status: IN_TREATMENT, seenVersion });
    }
    auditChange([saved.id]);
    return {
      flash: {
        tone: "success" as const,
        formId: formIdOf(saved.id),
        text: `Nr. ${saved.id}: patienten har fået tid pr. telefon.`,
      },
    };
  },
});
