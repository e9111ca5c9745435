import { addMinutes } from "date-fns";
import type { ChangeContext } from "~/access/operation.server";
import { mailComposer } from "~/features/delivery/templates/compose-mail.server";
import { findRecipients } from "~/features/directory/operations.server";
import { statusLabel, visibleStatus } from "~/features/referrals/model/status";
import { statusSentence } from "~/features/referrals/model/status-sentence.server";
import { readStatusSettings } from "~/features/referrals/model/status-settings.server";
import { findCaseFacts } from "~/features/referrals/store/case-facts-store.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";

const KIND = "statusNews";
export const UNDO_MINUTES = 1;

interface StatusNews {
  referralId: number;
  referrerId: number | null;
  status: number;
}

/**
 * Queues status mails, sent after a minute unless undone or replaced. Returns the referrals whose former mail was
 * unsent. The caller has asked `isAlwaysTold` or whether the referrer subscribed, and has written the status. Contains
 * no patient data, since mail may be read by others.
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
  const facts = await findCaseFacts(
    tx,
    news.map(({ referralId }) => referralId),
    now,
  );
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
      status: statusLabel(status, settings, { kind: "anonymous" }),
      statusforklaring: statusSentence(visibleStatus(status, { kind: "anonymous" }), facts.get(referralId)!),
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

/** Withdraws status mails of undone changes; returns the referrals whose mail was unsent. */
export async function withdrawStatusMails(
  { outbox }: Pick<ChangeContext, "outbox">,
  referralIds: number[],
): Promise<number[]> {
  const withdrawn = [await outbox.withdraw(KIND, referralIds), await outbox.withdraw("materialRequest", referralIds)];
  return [...new Set(withdrawn.flat())];
}
