import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import type { SmsEvent, Unreadable } from "./port";

/**
 * GatewayAPI repeats an event for 24 hours with the first signing time; each is processed once (docs/decisions/0056).
 */
const MAX_AGE_MS = 25 * 3_600_000;
const MAX_AHEAD_MS = 10 * 60_000;

const envelope = z.object({
  event_id: z.string().min(1).max(100),
  timestamp: z.iso.datetime({ offset: true }),
  event_type: z.string(),
  event: z.unknown(),
});

const receipt = z.object({
  reference: z.string().nullish(),
  status: z.string(),
  error: z.unknown().optional(),
});

const reply = z.object({
  sender: z.union([z.number().int().positive(), z.string().regex(/^\+?\d{5,15}$/)]),
  content: z.object({ message: z.string().max(5000) }),
});

const states: Readonly<Record<string, "delivered" | "failed">> = {
  DELIVERED: "delivered",
  ACCEPTED: "delivered",
  EXPIRED: "failed",
  DELETED: "failed",
  UNDELIVERABLE: "failed",
  REJECTED: "failed",
  SKIPPED: "failed",
};

const reasons: Readonly<Record<string, "unreachable" | "expired" | "rejected">> = {
  UNDELIVERABLE: "unreachable",
  EXPIRED: "expired",
  REJECTED: "rejected",
};

export function readGatewayApiEvent(body: Buffer, headers: Headers, secret: string, now: Date): SmsEvent | Unreadable {
  if (!isSigned(body, headers.get("Signature"), secret)) return "forged";
  const read = envelope.safeParse(parseJson(body));
  if (!read.success) return "unreadable";
  const { event_id: eventId, timestamp, event_type: type, event } = read.data;
  const age = now.getTime() - new Date(timestamp).getTime();
  if (age > MAX_AGE_MS || age < -MAX_AHEAD_MS) return "stale";
  if (type === "message.status.sms") return readReceipt(eventId, event);
  return type === "user-message.text.sms" ? readReply(eventId, event) : { kind: "other", eventId };
}

function isSigned(body: Buffer, signature: string | null, secret: string): boolean {
  const given = /^v1=([0-9a-f]{64})$/i.exec(signature ?? "")?.[1];
  if (given === undefined) return false;
  return timingSafeEqual(createHmac("sha256", secret).update(body).digest(), Buffer.from(given, "hex"));
}

function parseJson(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString("utf8"));
  } catch {
    return undefined;
  }
}

function readReceipt(eventId: string, event: unknown): SmsEvent | Unreadable {
  const read = receipt.safeParse(event);
  if (!read.success) return "unreadable";
  const { reference, status } = read.data;
  // Sent by another system on the same account.
  if (!reference) return { kind: "other", eventId };
  return {
    kind: "receipt",
    eventId,
    key: reference,
    state: states[status.toUpperCase()] ?? "pending",
    detail: `GatewayAPI: ${status}`.slice(0, 100),
    reason: reasons[status.toUpperCase()],
  };
}

function readReply(eventId: string, event: unknown): SmsEvent | Unreadable {
  const read = reply.safeParse(event);
  if (!read.success) return "unreadable";
  return {
    kind: "reply",
    eventId,
    from: `+${String(read.data.sender).replace("+", "")}`,
    text: read.data.content.message,
  };
}
