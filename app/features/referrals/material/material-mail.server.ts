import { addMinutes } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import type { KindHooks } from "~/features/delivery/port";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { findRecipients } from "~/features/directory/operations.server";
import { UNDO_MINUTES } from "~/features/referrals/status/status-mails.server";
import { isRequested } from "~/features/referrals/store/material-store.server";
import { paths } from "~/paths";

const KINDS = ["materialRequest", "materialReminder"] as const;

/**
 * Mails the referrer that material is missing, or still is: the referral's number and a link, no patient data. Replaces an unsent
 * mail. Returns whether there is a recipient.
 */
export async function queueMaterialMail(
  { tx, outbox, now, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "now" | "portal">,
  { referralId, referrerId }: { referralId: number; referrerId: number | null },
  kind: (typeof KINDS)[number] = "materialRequest",
): Promise<boolean> {
  for (const each of KINDS) await outbox.withdraw(each, [referralId]);
  const [referrer] = referrerId === null ? [] : await findRecipients(tx, [referrerId]);
  if (!referrer?.email) return false;
  const mail = await composeMail(tx, kind, {
    config,
    values: {
      henviser: referrer.name,
      henvisningsnr: String(referralId),
      sagslink: `${config.publicOrigin}${paths.referral(referralId)}`,
      portal: config.productName,
      klinik: config.clinicName,
    },
  });
  const notBefore = addMinutes(now, UNDO_MINUTES);
  await outbox.email({ ...mail, kind, to: referrer.email, referralId, userId: referrer.id, notBefore });
  return true;
}

/** Answered or withdrawn items are left out at sending. */
export const materialRequestHooks: KindHooks = {
  async recheck({ db }, { referralId }) {
    return referralId !== null && (await isRequested(db, referralId))
      ? null
      : { outcome: "withdrawn", detail: "Der mangler ikke længere noget" };
  },
};
