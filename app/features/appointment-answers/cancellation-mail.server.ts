import type { ChangeContext } from "~/access/operation.server";
import { composeMail } from "~/features/delivery/templates/compose-mail.server";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { showMoment } from "~/features/referrals/model/operation-moment";
import { paths } from "~/paths";

/**
 * Mails the clinic's address for messages, if set, about a free time: the referral's number and a link, no patient
 * data.
 */
export async function notifyStaffOfCancellation(
  { tx, outbox, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "portal">,
  referralId: number,
  operationMoment: string,
): Promise<void> {
  const to = await findStaffMail(tx);
  if (to === null) return;
  const mail = await composeMail(tx, "cancellationNews", {
    config,
    values: {
      henvisningsnr: String(referralId),
      tid: showMoment(operationMoment),
      sagslink: `${config.adminOrigin}${paths.referral(referralId)}`,
      portal: config.productName,
    },
  });
  await outbox.email({ kind: "cancellationNews", to, referralId, ...mail });
}
