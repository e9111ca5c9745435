import { z } from "zod";
import { subHours } from "date-fns";
import { change } from "~/access/operation.server";
import { channels } from "./channels/index.server";
import { findOverdue, settleUnreported } from "./receipt-store.server";
import { channelNames } from "./delivery-outcome";
import { followOutcome } from "./follow-outcome.server";
import { settledMessageOf } from "./kind-hooks";

const NO_RECEIPT = "Udbyderen har ikke meldt tilbage";

/** Lists messages that were handed over and never reported as failures. A late receipt still counts. */
export const settleOverdue = change({
  name: "outbox.settleOverdue",
  permission: "system",
  input: z.object({}),
  async run({ tx, portal, now, auditChange }) {
    for (const name of channelNames) {
      const { awaitHours, codes, silentText = NO_RECEIPT } = channels[name];
      for (const message of await findOverdue(tx, name, subHours(now, awaitHours(portal)))) {
        const settlement = { outcome: "unknown", code: codes.unknown, detail: silentText, reason: "noReport" } as const;
        await settleUnreported(tx, message.id, settlement, now);
        await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
        if (message.referral_id !== null) auditChange([message.referral_id]);
      }
    }
    return {};
  },
});
