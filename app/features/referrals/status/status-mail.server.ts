import { addMinutes } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { mailComposer } from "~/features/delivery/templates/compose-mail.server";
import { findRecipients } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { statusLabel } from "~/features/referrals/model/status";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";

const KIND = "statusNews";
/** How long a change of status can be undone before anybody is notified. */
export const UNDO_MINUTES = 1;

export interface StatusNews {
  referralId: number;
  referrerId: number | null;
  status: number;
}

/**
 * Tells referrers of new statuses, in a minute: until then 'Fortryd' or a newer status takes the mail back. Answers the referrals whose
 * former mail had not been sent. Call it only for referrals whose referrer subscribes to statuses. The mail says nothing
 * about the patient: it is read on other screens than ours.
 */
export async function queueStatusMails(
  { tx, outbox, portal, now }: Pick<ChangeContext, "tx" | "outbox" | "now"> & { portal: Pick<Portal, "config"> },
  news: StatusNews[],
): Promise<number[]> {
  if (news.length === 0) return [];
  const waiting = await outbox.withdraw(
    KIND,
    news.map(({ referralId }) => referralId),
  );
  const referrerIds = [...new Set(news.flatMap(({ referrerId }) => referrerId ?? []))];
  const referrers = await findRecipients(tx, referrerIds);
  const settings = await readStatusSettings(tx);
  const compose = await mailComposer(tx, KIND, { config: portal.config });
  const byId = new Map(referrers.map((referrer) => [referrer.id, referrer]));
  const { publicOrigin, productName, clinicName } = portal.config;
  const mails: Parameters<typeof outbox.emails>[0] = [];
  for (const { referralId, referrerId, status } of news) {
    const referrer = byId.get(referrerId ?? 0);
    if (!referrer) continue;
    const mail = compose({
      henviser: referrer.name,
      henvisningsnr: String(referralId),
      // As the referrer would read it, who is never staff.
      status: statusLabel(status, settings, { kind: "anonymous" }),
      sagslink: `${publicOrigin}${paths.referral(referralId)}`,
      portal: productName,
      klinik: clinicName,
    });
    const notBefore = addMinutes(now, UNDO_MINUTES);
    mails.push({ ...mail, kind: KIND, to: referrer.email, referralId, userId: referrer.id, notBefore });
  }
  await outbox.emails(mails);
  return waiting;
}

/** Takes back mails about statuses that are being undone, and what they asked for. Answers the referrals whose mail had not been sent. */
export async function withdrawStatusMails(
  { outbox }: Pick<ChangeContext, "outbox">,
  referralIds: number[],
): Promise<number[]> {
  const withdrawn = [await outbox.withdraw(KIND, referralIds), await outbox.withdraw("materialRequest", referralIds)];
  return [...new Set(withdrawn.flat())];
}
