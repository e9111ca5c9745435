import { z } from "zod";
import { change } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { line, text } from "~/text/fields.server";
import { idOfKey } from "./attempt.server";
import { sms } from "./channels/index.server";
import { followOutcome } from "./settle-messages.server";
import { settledMessageOf } from "./port";
import { lockOutboxMessage, recordEvent, settleByReceipt } from "./receipt-store.server";

const DELIVERED = "Leveret";

const eventId = z.string().min(1).max(100);

/**
 * Records an event of the SMS provider (or the development page): an outcome or a reply. Each is processed once, and
 * settled messages stay unchanged.
 */
export const receiveSmsEvent = change({
  name: "receiveSmsEvent",
  permission: "system",
  input: z.discriminatedUnion("kind", [
    z.object({
      kind: z.literal("receipt"),
      eventId,
      key: z.string().max(100),
      state: z.enum(["pending", "delivered", "failed"]),
      detail: line.max(300),
      reason: z.enum(["unreachable", "expired", "rejected"]).optional(),
    }),
    z.object({ kind: z.literal("reply"), eventId, from: line.max(20), text: text(5000) }),
    z.object({ kind: z.literal("other"), eventId }),
  ]),
  async run({ tx, portal, now, auditChange }, event) {
    const { secrets } = portal;
    if (event.kind !== "receipt") {
      const content = event.kind === "reply" ? { content: { from: event.from, text: event.text } } : {};
      await recordEvent(
        tx,
        secrets,
        { channel: "sms", eventId: event.eventId, kind: event.kind, outboxId: null, ...content },
        now,
      );
      return {};
    }
    const id = idOfKey(event.key);
    const message = Number.isNaN(id) ? undefined : await lockOutboxMessage(tx, "sms", id);
    const isNew = await recordEvent(
      tx,
      secrets,
      { channel: "sms", eventId: event.eventId, kind: "receipt", outboxId: message?.id ?? null },
      now,
    );
    if (!message || !isNew || event.state === "pending") return {};
    const outcome = event.state === "delivered" ? "sent" : "failed";
    const settlement = {
      outcome,
      code: sms.codes[outcome],
      detail: outcome === "failed" ? event.detail : null,
      reason: outcome === "failed" ? (event.reason ?? null) : null,
    } as const;
    if (await settleByReceipt(tx, message.id, { ...settlement, detail: settlement.detail ?? DELIVERED }, now))
      await followOutcome(tx, portal, settledMessageOf(message), settlement, now);
    if (message.referral_id !== null) auditChange([message.referral_id], `${message.kind}: ${event.state}`);
    return {};
  },
});

export const smsWebhook = {
  channel: "sms",
  readerOf: ({ sms: gateway }: Portal) => gateway.readEvent,
  operation: receiveSmsEvent,
};
