import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { applyReferrer } from "./change-referrer.server";
import { lockReferral } from "~/features/referrals/store/referral-store.server";
import { applyStatus, statusValue } from "~/features/referrals/status/set-status.server";
import { applySurgeon } from "./set-surgeon.server";

/**
 * Changes status, referrer and surgeon together or not at all (PATCH /Visits/{id}). Closing deletes files only on
 * request. Throws what `setStatus`, `changeReferrer` and `setSurgeon` throw.
 */
export const patchReferral = change({
  name: "patchVisit",
  permission: "referral.editSent",
  input: z.object({
    referralId: z.number().int(),
    /** Absent: the last write wins. */
    seenVersion: z.number().int().optional(),
    /** Status version; required with `seenVersion`. */
    seenStatusVersion: z.number().int().optional(),
    status: statusValue.optional(),
    deleteFiles: z.boolean().default(false),
    referrerId: z.number().int().optional(),
    /** Null for no surgeon. */
    surgeonId: z.number().int().nullable().optional(),
  }),
  async run(context, { referralId, seenVersion, seenStatusVersion, status, deleteFiles, referrerId, surgeonId }) {
    const { tx, actor } = context;
    const before = await lockReferral(tx, actor, referralId);
    if (status !== undefined && seenVersion !== undefined && seenStatusVersion === undefined)
      throw new Refusal("conflict");
    let version = seenVersion ?? before.version;
    if (status !== undefined) {
      await applyStatus(context, {
        referralId,
        status,
        seenVersion: seenStatusVersion ?? before.status_version,
        isDeleteAttachments: deleteFiles ? "true" : "false",
      });
    }
    if (referrerId !== undefined) {
      await applyReferrer(context, { referralId, seenVersion: version, referrerId });
      version = (await lockReferral(tx, actor, referralId)).version;
    }
    if (surgeonId !== undefined)
      await applySurgeon(context, { referralId, seenVersion: version, surgeonId: surgeonId ?? undefined });
    return {};
  },
});
