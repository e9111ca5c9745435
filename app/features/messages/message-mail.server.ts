import type { DbOrTx } from "~db/connection.server";
import { addMinutes } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { findReferrer } from "~/features/directory/operations.server";
import { findSetting } from "~/features/settings/settings.server";
import { paths } from "~/paths";

/** One mail covers all messages written within this time. */
const WAIT_MINUTES = 1;

export const findStaffMail = (db: DbOrTx): Promise<string | null> => findSetting(db, "messageMailAddress");

/**
 * Notifies the other side by mail: the referral's number and a link, no patient data. Sent after a minute; a newer
 * message replaces it.
 */
export async function notifyOtherParty(
  { tx, outbox, now, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "now" | "portal">,
  { referralId, referrerId, isFromAdmin }: { referralId: number; referrerId: number | null; isFromAdmin: boolean },
): Promise<void> {
  const referrer = isFromAdmin && referrerId !== null ? await findReferrer(tx, referrerId) : null;
  const to = isFromAdmin ? referrer?.email : await findStaffMail(tx);
  const kind = isFromAdmin ? "messageNews" : "messageNewsToClinic";
  await outbox.withdraw(kind, [referralId]);
  if (!to) return;
  const origin = isFromAdmin ? config.publicOrigin : config.adminOrigin;
  const mail = await composeMail(tx, kind, {
    config,
    values: {
      henvisningsnr: String(referralId),
      beskedlink: `${origin}${paths.referral(referralId)}#beskeder`,
      klinik: config.clinicName,
    },
  });
  await outbox.email({
    kind,
    to,
    referralId,
    userId: referrer?.id,
    notBefore: addMinutes(now, WAIT_MINUTES),
    ...mail,
  });
}
