import { z } from "zod";
import { change } from "~/access/operation.server";
import { paths } from "~/paths";
import { planExportAgain } from "~/features/referrals/store/radiograph-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";

/**
 * The radiograph icon where the export has failed: a new attempt is planned, and the images are downloaded. Pressed
 * again, or after somebody else, it only downloads. A state of delivery: the version stays. Throws `notInScope`.
 */
export const retryRadiographExport = change({
  name: "retryRadiographExport",
  permission: "referral.editSent",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run({ tx, actor, now, auditChange }, { referralId }) {
    const row = await findReferral(tx, actor, referralId);
    if (await planExportAgain(tx, row.id)) {
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
