import { z } from "zod";
import { change } from "~/access/operation.server";
import type { Db } from "~db/connection.server";
import { channels } from "./channels/index.server";
import type { ChannelName } from "./delivery-outcome";
import { followOutcome } from "./follow-outcome.server";
import { countQueuedBefore, findQueuedBefore, settleUnreported } from "./receipt-store.server";
import { settledMessageOf } from "./port";

const MAY_HAVE_LEFT = "Fra en kopi af portalen: kan være sendt, efter at kopien blev taget";

export interface QueuedCount {
  channel: ChannelName;
  count: number;
}

export const countQueued = (db: Db, by: Date): Promise<QueuedCount[]> => countQueuedBefore(db, by);

/**
 * Hands messages queued before a moment to people in batches: each becomes unknown and is listed as a failure, to be
 * resent or marked as handled. `data.held` is the batch's size, 0 at the end.
 */
export const holdQueued = change({
  name: "outbox.holdQueued",
  permission: "system",
  input: z.object({ by: z.date() }),
  async run({ tx, portal, now, auditChange }, { by }) {
    const messages = await findQueuedBefore(tx, by);
    for (const message of messages) {
      const { codes } = channels[message.channel as ChannelName];
      const settlement = {
        outcome: "unknown",
        code: codes.unknown,
        detail: MAY_HAVE_LEFT,
        reason: "fromCopy",
      } as const;
      await settleUnreported(tx, message.id, settlement, now);
      await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
      if (message.referral_id !== null) auditChange([message.referral_id]);
    }
    return { data: { held: messages.length } };
  },
});
