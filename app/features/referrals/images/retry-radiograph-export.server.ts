import { z } from "zod";
import { change } from "~/access/operation.server";
import { paths } from "~/paths";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { EXPORT_FAILED } from "~/features/referrals/details/sent-items";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

/**
 * Retries a failed archive export and downloads the images; pressed again it only downloads. Delivery state only, so
 * the version stays. Throws `notInScope`.
 */
export const retryRadiographExport = change({
  name: "retryRadiographExport",
  permission: "referral.editSent",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run(context, { referralId }) {
    const { tx, actor, person, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const isPlanned =
      row.radiograph_export_status === EXPORT_FAILED &&
      (await planExports(context, row, { which: "failed", requestedBy: person.id })) > 0;
    if (isPlanned) {
      await insertVisitLog(
        tx,
        actor,
        [{ referralId: row.id, status: row.status, event: "Eksport af røntgenbilleder er planlagt igen" }],
        now,
      );
      auditChange([referralId], "radiograph export planned");
    }
    return { to: paths.referralImagesZip(referralId) };
  },
});
