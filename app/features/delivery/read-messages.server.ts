import { subHours } from "date-fns";
import type { Secrets } from "~/access/secrets.server";
import type { DbOrTx } from "~db/connection.server";
import { sealedReply } from "~/access/sealed-column.server";
import {
  findReturnedTexts,
  findOutboxMessage,
  findProgress,
  findNewestTo,
  countSettled,
  countWaiting,
} from "./store.server";
import { unsealMessage } from "./sealed-message.server";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { type ChannelName, channelNames, SETTLED } from "./delivery-outcome";
import { messageKinds } from "./message-kinds";
import { read } from "~/access/operation.server";

/** Recipient and content are null where they cannot be decrypted in this row. */
export function readMessageOf<Content>(
  secrets: Secrets,
  row: { rowKey: string | null; recipientEncrypted: string; contentEncrypted: string },
): { to: string | null; content: Content | null } {
  const { to, content } = unsealMessage(secrets, row);
  return { to, content: content === null ? null : (JSON.parse(content) as Content) };
}

/** The newest five bounces of a message that no parser could read; those that cannot be decrypted are left out. */
export async function readReturnedTexts(db: DbOrTx, secrets: Secrets, outboxId: number): Promise<string[]> {
  const rows = await findReturnedTexts(db, outboxId);
  return rows.flatMap((row) => {
    const opened = row.contentEncrypted === null ? null : sealedReply.open(secrets, row);
    return opened === null ? [] : (JSON.parse(opened) as { text: string }).text;
  });
}

export async function recipientOf(db: DbOrTx, secrets: Secrets, id: number): Promise<string | null> {
  const row = await findOutboxMessage(db, id);
  return row === undefined ? null : unsealMessage(secrets, row).to;
}

/**
 * Whether a referral's messages are under way, with a text that changes when one is settled. Null for those who may not
 * write to patients or see the referral.
 */
export async function readSendingProgress(db: DbOrTx, actor: Actor, referralId: number) {
  if (!can(actor, "patientMessage.send")) return null;
  const found = await findProgress(db, actor, referralId);
  if (found === undefined) return null;
  const { underWay, statusVersion, changedAt } = found;
  return { isUnderWay: Number(underWay) > 0, state: [underWay, statusVersion, changedAt].join(" ") };
}

const MAX_SHOWN = 5;

const testChannels = channelNames.filter((name) => messageKinds.testMessage.channels[name] !== undefined);

export async function listTestMessages(portal: Portal, userId: number) {
  const { db, secrets } = portal;
  const rows = await findNewestTo(db, userId, "testMessage", MAX_SHOWN);
  return {
    channels: testChannels.map((name) => ({ name, mode: channels[name].gateway(portal).mode })),
    messages: rows.map((row) => ({
      id: row.id,
      channel: row.channel as ChannelName,
      to: unsealMessage(secrets, row).to ?? "",
      createdAt: row.createdAt,
      outcome: row.outcome,
      detail: row.detail,
    })),
  };
}

/** Per channel: messages waiting now, seconds the oldest is overdue, and outcomes of the last hour. */
export const readDeliveryMetrics = read({
  name: "readDeliveryMetrics",
  permission: "system",
  async run({ db, now }) {
    const [waiting, settled] = [await countWaiting(db), await countSettled(db, subHours(now, 1))];
    const countIn = (rows: { channel: string; outcome: string; count: number }[], channel: string, outcome: string) =>
      Number(rows.find((row) => row.channel === channel && row.outcome === outcome)?.count ?? 0);
    return channelNames.map((channel) => {
      const due = waiting.find((row) => row.channel === channel && row.outcome === "queued")?.firstDue;
      return {
        channel,
        queued: countIn(waiting, channel, "queued"),
        awaiting: countIn(waiting, channel, "awaiting"),
        oldestSeconds: due ? Math.max(0, (now.getTime() - new Date(due).getTime()) / 1000) : 0,
        settled: SETTLED.map((outcome) => ({ outcome, count: countIn(settled, channel, outcome) })),
      };
    });
  },
});
