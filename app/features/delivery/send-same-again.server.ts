import { Refusal } from "~/access/refusal";
import type { EmailContent, SmsContent, KindHooks } from "./port";
import { isChannelSet } from "./channels/index.server";
import type { Kind } from "./message-kinds";
import { findOutboxMessage } from "./store.server";
import { unsealMessage } from "./sealed-message.server";

/** Resends a mail or SMS that failed because its channel was not configured. Other failures would only repeat. */
export const sendSameAgain = {
  async resendWays(portal, { id, channel }) {
    const row = await findOutboxMessage(portal.db, id);
    const isExpired = row?.expiresAt != null && new Date(row.expiresAt) <= portal.clock.now();
    const isPossible = row?.reason === "notConfigured" && row.hasText === 1 && !isExpired;
    return isPossible && isChannelSet(portal, channel) ? [channel] : [];
  },
  async resend({ tx, outbox, portal, person }, { id, channel, referralId, userId }, chosen) {
    const row = await findOutboxMessage(tx, id);
    const { to, content } = row === undefined ? { to: null, content: null } : unsealMessage(portal.secrets, row);
    if (row?.reason !== "notConfigured" || to === null || content === null || chosen !== channel)
      throw new Refusal("conflict", { text: "Beskeden kan ikke sendes igen herfra." });
    const envelope = {
      kind: row.kind as Kind,
      to,
      resendsId: id,
      requestedBy: person.id,
      referralId: referralId ?? undefined,
      userId: userId ?? undefined,
      expiresAt: row.expiresAt === null ? undefined : new Date(row.expiresAt),
    };
    if (channel === "sms") await outbox.sms({ ...envelope, ...(JSON.parse(content) as SmsContent) });
    else await outbox.email({ ...envelope, ...(JSON.parse(content) as EmailContent) });
  },
} satisfies KindHooks;
