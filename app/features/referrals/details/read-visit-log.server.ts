import { z } from "zod";
import { read } from "~/access/operation.server";
import { isoMoment } from "~/text/dates";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { findVisitLog } from "~/features/referrals/store/visit-log-store.server";

/** The referral's log, newest first (GET /Visits/{id}/visitlog); staff only. Throws `notInScope`. */
export const readVisitLog = read({
  name: "readVisitLog",
  permission: "referral.readInternal",
  input: z.object({ referralId: z.number().int() }),
  async run({ db, actor, auditRead }, { referralId }) {
    const row = await findReferral(db, actor, referralId);
    auditRead([referralId]);
    return {
      entries: (await findVisitLog(db, row.id)).map((entry) => ({
        id: entry.id,
        modifierName: entry.modifier_name,
        modifyDate: isoMoment(entry.at),
        status: entry.status,
        treatmentType: entry.treatment_type,
        surgeonComment: entry.surgeon_comment,
        logType: entry.log_type,
        event: entry.event,
      })),
    };
  },
});
