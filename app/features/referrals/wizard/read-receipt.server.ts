import { z } from "zod";
import { read } from "~/access/operation.server";
import { findReceipt } from "~/features/referrals/store/referral-store.server";
import { isoMoment } from "~/text/dates";
import { fullName } from "~/text/names";

/** The receipt after sending: the referral's number, what to print, and what decides what happens next. */
export const readReceipt = read({
  name: "readReceipt",
  permission: "referral.write",
  input: z.object({ referralId: z.coerce.number().int().positive().optional().catch(undefined) }),
  async run({ db, person, auditRead }, { referralId }) {
    if (!referralId) return { receipt: null };
    const row = await findReceipt(db, person, referralId);
    if (!row) return { receipt: null };
    auditRead([row.id]);
    return {
      receipt: {
        id: row.id,
        name: fullName(row),
        sentAt: isoMoment(row.sent_at!),
        desiredTreatment: row.desired_treatment,
        referenceType: row.reference_type,
        callType: row.call_type,
        radiographsSendType: row.radiographs_send_type,
        isNotified: row.send_notification_to_dentist === 1,
      },
    };
  },
});
