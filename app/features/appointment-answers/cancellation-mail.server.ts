import type { ChangeContext } from "~/access/operation.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { findStaffMail } from "~/features/messages/message-mail.server";
import { showMoment } from "~/features/referrals/model/operation-moment";
import { paths } from "~/paths";

/** Tells the clinic's address for messages, where one is set, of a time that is free: the referral's number and a link, nothing about the patient. */
export async function tellStaffOfCancellation(
  { tx, outbox, portal: { config } }: Pick<ChangeContext, "tx" | "outbox" | "portal">,
  referralId: number,
  operationMoment: string,
): Promise<void> {
  const to = await findStaffMail(tx);
  if (to === null) return;
  const mail = renderMail({
    productName: config.productName,
    subject: `Afbud til ${showMoment(operationMoment)} (nr. ${referralId})`,
    paragraphs: [
      `Patienten i henvisning nr. ${referralId} har meldt afbud til ${showMoment(operationMoment)}.`,
      { link: `${config.adminOrigin}${paths.referral(referralId)}`, text: "Se henvisningen" },
      `Er det en fejl, kan afbuddet fortrydes i ${config.productName}.`,
    ],
  });
  await outbox.email({ kind: "cancellationNews", to, referralId, ...mail });
}
