import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findReferrer } from "~/features/directory/find-referrers.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { queueStatusMails } from "./status-mail.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

/**
 * 'Send status til henviser' (POST /Visits/{id}/notification/surgeon): mails the present status regardless of
 * subscription. Repeated within a minute it replaces the former mail. Throws `invalid` without an e-mail, and
 * `notInScope`.
 */
export const sendStatus = change({
  name: "sendStatus",
  permission: "referral.editSent",
  idempotent: true,
  input: z.object({ referralId: z.coerce.number().int() }),
  async run(context, { referralId }) {
    const { tx, actor, now, auditChange } = context;
    const row = await findReferral(tx, actor, referralId);
    const referrer = row.referrer_id === null ? null : await findReferrer(tx, row.referrer_id);
    if (!referrer?.email)
      throw new Refusal("invalid", {
        text: "Henviseren har ingen e-mail. Udfyld den under Henvisere, eller skift henviser.",
      });
    await queueStatusMails(context, [{ referralId, referrerId: referrer.id, status: row.status }]);
    await insertVisitLog(
      tx,
      actor,
      [{ referralId: row.id, status: row.status, event: `Status sendes til ${referrer.name}`, logType: "email" }],
      now,
    );
    auditChange([referralId]);
    return { flash: { tone: "success" as const, text: `Status sendes til ${referrer.name}.` } };
  },
});
