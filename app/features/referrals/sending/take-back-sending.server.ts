import { z } from "zod";
import { change, type ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { deleteAwaitedSending } from "~/features/referrals/store/awaited-sending-store.server";
import { findInWizard } from "~/features/referrals/store/referral-store.server";
import { markAwaited } from "~/files/staging/awaited-upload-store.server";
import { paths } from "~/paths";

/**
 * 'Fortryd afsendelsen': keeps the draft when its files arrive. Throws `alreadySent` if it was sent meanwhile, and
 * `notInScope`.
 */
export const takeBackSending = change({
  name: "takeBackSending",
  permission: "referral.write",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run(context, { referralId }) {
    const { id, sent_at: sentAt } = await findInWizard(context.tx, context.person, referralId);
    if (sentAt !== null) throw new Refusal("alreadySent", { to: paths.referral(id) });
    await withdrawSending(context, id);
    context.auditChange([id]);
    return {
      to: paths.wizardStep(id, 3),
      flash: { tone: "info" as const, text: `Afsendelsen er fortrudt. Kladde nr. ${id} er ikke sendt.` },
    };
  },
});

/** Withdraws the submission within another change, such as deletion; returns whether it waited. */
export async function withdrawSending(
  { tx }: Pick<ChangeContext, "tx">,
  referralId: ScopedReferralId,
): Promise<boolean> {
  const wasWaiting = await deleteAwaitedSending(tx, referralId);
  if (wasWaiting) await markAwaited(tx, referralId, null);
  return wasWaiting;
}
