import { z } from "zod";
import { subHours } from "date-fns";
import { change, execute, external, plainInput } from "~/access/operation.server";
import { channels } from "./channels/index.server";
import { findOverdue, lockOverdue, settleUnreported } from "./receipt-store.server";
import { channelNames } from "./delivery-outcome";
import { followOutcome } from "./follow-outcome.server";
import { settledMessageOf } from "./port";

const NO_RECEIPT = "Udbyderen har ikke meldt tilbage";

/** Marks an accepted, unreported message as a failure. A late receipt still counts. */
export const settleOverdueMessage = change({
  name: "outbox.settleOverdueMessage",
  permission: "system",
  input: z.object({ channel: z.enum(channelNames), outboxId: z.number().int() }),
  async run({ tx, portal, now, auditChange }, { channel, outboxId }) {
    const { awaitHours, codes, silentText = NO_RECEIPT } = channels[channel];
    const message = await lockOverdue(tx, outboxId, channel, subHours(now, awaitHours(portal)));
    if (message === undefined) return {};
    const settlement = { outcome: "unknown", code: codes.unknown, detail: silentText, reason: "noReport" } as const;
    await settleUnreported(tx, message.id, settlement, now);
    await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
    if (message.referral_id !== null) auditChange([message.referral_id]);
    return {};
  },
});

/** Settles all overdue messages in separate transactions; one that fails is logged and does not stop the others. */
export const settleOverdue = external({
  name: "outbox.settleOverdue",
  permission: "system",
  input: z.object({}),
  async prepare({ db, portal, caller, now }) {
    for (const channel of channelNames)
      for (const outboxId of await findOverdue(db, channel, subHours(now, channels[channel].awaitHours(portal))))
        await execute(portal, caller, settleOverdueMessage, plainInput({ channel, outboxId })).catch((error: unknown) =>
          portal.log.error({ err: error, outboxId }, "message without a receipt not settled"),
        );
  },
  run: async () => ({}),
});
