import { z } from "zod";
import { change } from "~/access/operation.server";
import { applyReferrer } from "./change-referrer.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { applyStatus, statusValue } from "~/features/referrals/status/set-status.server";
import { applySurgeon } from "./set-surgeon.server";

/**
 * Status, referrer and surgeon of one referral, each as its own page changes it, all or none (PATCH /Visits/{id}).
 * Closing deletes files only when it says so. Throws what `setStatus`, `changeReferrer` and `setSurgeon` throw.
 */
export const patchReferral = change({
  name: "patchVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    /** Absent: the last one wins (text, numbers, races). */
    seenVersion: z.number().int().optional(),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
    referrerId: z.number().int().optional(),
    /** Null for no surgeon. */
    surgeonId: z.number().int().nullable().optional(),
  }),
  async run(context, { referralId, seenVersion, status, deleteFiles, referrerId, surgeonId }) {
    const { tx, actor } = context;
    const before = await lockReferral(tx, actor, referralId);
    let version = seenVersion ?? before.version;
    const again = async () => (version = (await lockReferral(tx, actor, referralId)).version);
    if (status !== undefined) {
      await applyStatus(context, {
        referralId,
        status,
        seenVersion: version,
        isDeleteAttachments: deleteFiles ? "true" : "false",
      });
      await again();
    }
    if (referrerId !== undefined) {
      await applyReferrer(context, { referralId, seenVersion: version, referrerId });
      await again();
    }
    if (surgeonId !== undefined)
      await applySurgeon(context, { referralId, seenVersion: version, surgeonId: surgeonId ?? undefined });
    return {};
  },
});
