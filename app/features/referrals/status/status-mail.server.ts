import { addMinutes } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { renderMail } from "~/features/delivery/render-mail.server";
import { findRecipients } from "~/features/directory/find-referrers.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { statusLabel } from "~/features/referrals/model/status";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";

const KIND = "statusNews";
/** How long a change of status can be undone before anybody is notified. */
const WAIT_MINUTES = 1;

export interface StatusNews {
  referralId: number;
  referrerId: number | null;
  status: number;
}

/**
 * Tells referrers of new statuses, in a minute: until then 'Fortryd' or a newer status takes the mail back. Answers the referrals whose
 * former mail had not been sent. Call it only for referrals whose referrer has asked to be told.
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
  const byId = new Map(referrers.map((referrer) => [referrer.id, referrer]));
  await outbox.emails(
    news.flatMap(({ referralId, referrerId, status }) => {
      const referrer = byId.get(referrerId ?? 0);
      if (!referrer) return [];
      const mail = statusMail({
        name: referrer.name,
        referralId,
        // As the referrer would read it, who is never staff.
        label: statusLabel(status, settings, { kind: "anonymous" }),
        link: `${portal.config.publicOrigin}${paths.referral(referralId)}`,
        productName: portal.config.productName,
      });
      return [
        {
          ...mail,
          kind: KIND,
          to: referrer.email,
          referralId,
          userId: referrer.id,
          notBefore: addMinutes(now, WAIT_MINUTES),
        },
      ];
    }),
  );
  return waiting;
}

/** Takes back mails about statuses that are being undone. Answers the referrals whose mail had not been sent. */
export function withdrawStatusMails(
  { outbox }: Pick<ChangeContext, "outbox">,
  referralIds: number[],
): Promise<number[]> {
  return outbox.withdraw(KIND, referralIds);
}

/** Nothing about the patient: a mail is read on other screens than ours. */
function statusMail({
  name,
  referralId,
  label,
  link,
  productName,
}: {
  name: string;
  referralId: number;
  label: string;
  link: string;
  productName: string;
}) {
  return renderMail({
    productName,
    subject: `Henvisning nr. ${referralId} har fået ny status`,
    paragraphs: [
      `Hej ${name}.`,
      `Henvisning nr. ${referralId} har nu status: ${label}.`,
      { link, text: "Se henvisningen" },
      "Du får denne mail, fordi du har bedt om besked, når sagens status ændres.",
    ],
  });
}
