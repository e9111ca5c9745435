import { z } from "zod";
import { subHours } from "date-fns";
import { change } from "~/access/operation.server";
import { channels } from "./channels/index.server";
import { findOverdue, settleUnreported } from "./receipt-store.server";
import { logDelivery } from "./delivery-log-store.server";
import { channelNames } from "./delivery-outcome";
import type { Kind } from "./message-kinds";

const NO_RECEIPT = "Udbyderen har ikke meldt tilbage";

/** Messages that were handed over and never reported are a person's to judge from now on. A receipt that comes after all still counts. */
export const settleOverdue = change({
  name: "outbox.settleOverdue",
  permission: "system",
  input: z.object({}),
  async run({ tx, now, auditChange }) {
    for (const name of channelNames) {
      const { awaitHours, codes, logType } = channels[name];
      for (const message of await findOverdue(tx, name, subHours(now, awaitHours))) {
        await settleUnreported(tx, message.id, { code: codes.unknown, detail: NO_RECEIPT }, now);
        await logDelivery(
          tx,
          {
            referralId: message.referral_id,
            kind: message.kind as Kind,
            logType,
            outcome: "unknown",
            detail: NO_RECEIPT,
          },
          now,
        );
        if (message.referral_id !== null) auditChange([message.referral_id]);
      }
    }
    return {};
  },
});
