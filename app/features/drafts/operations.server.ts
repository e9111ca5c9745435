import { subDays } from "date-fns";
import { change, ofReferral, succeeded } from "~/access/operation.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { withdrawSending } from "~/features/referrals/sending/operations.server";
import { paths } from "~/paths";
import { hideDraft, restoreDraftRow } from "./draft-store.server";

const oneDraft = ofReferral;

/** Removes a draft (DELETE /Drafts/{id}); the next page offers to bring it back. Throws `notInScope`. */
export const deleteDraft = change({
  name: "deleteDraft",
  permission: "referral.write",
  input: oneDraft,
  async run(context, { referralId }) {
    const id = await hideDraft(context.tx, context.actor, referralId, context.now);
    await withdrawSending(context, id);
    context.auditChange([referralId]);
    invalidateCounts(context);
    return { to: `${paths.drafts}?slettet=${referralId}` };
  },
});

/** 'Fortryd': brings a deleted draft back while its files are still there. Throws `notInScope`. */
export const restoreDraft = change({
  name: "restoreDraft",
  permission: "referral.write",
  idempotent: true,
  input: oneDraft,
  async run(context, { referralId }) {
    const { tx, actor, now, portal, auditChange } = context;
    await restoreDraftRow(tx, actor, referralId, subDays(now, portal.config.filePurgeDays));
    auditChange([referralId]);
    invalidateCounts(context);
    return {
      to: paths.drafts,
      ...succeeded(`Kladde nr. ${referralId} er hentet tilbage.`),
    };
  },
});
