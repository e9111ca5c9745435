import { createHmac, timingSafeEqual } from "node:crypto";
import { z } from "zod";
import { codeOf, fetchOutside, NotConnected } from "~/gateways/http/fetch-outside.server";
import type { SendResult } from "~/gateways/sending/port";
import type { SmsGateway, SmsMessage, SmsEvent, Unreadable } from "./port";

interface Options {
  url: string;
  token: string;
  webhookSecret: string | null;
}

/**
 * GatewayAPI (gatewayapi.com/docs/message): `POST /mobile/single` answers 202 with `msg_id`; receipts and replies come
 * by webhook. It does not deduplicate, so a lost connection leaves the outcome unknown.
 */
export function createGatewayApi({ url, token, webhookSecret }: Options): SmsGateway {
  const taken = webhookSecret === null ? "sent" : "accepted";
  return {
    label: "GatewayAPI",
    mode: "live",
    deduplicates: false,
    connectsFirst: true,
    async send(message, signal, begin): Promise<SendResult> {
      try {
        const request = {
          method: "POST",
          headers: { Authorization: `Token ${token}`, "Content-Type": "application/json", Accept: "application/json" },
          body: JSON.stringify(requestOf(message)),
          // Redirects would leak the token.
          redirect: "manual" as const,
          signal,
        };
        const response = await fetchOutside(`${url}/mobile/single`, request, begin);
        return resultOf(response.status, await readJson(response), taken);
      } catch (error) {
        return resultOfError(error);
      }
    },
    ...(webhookSecret === null
      ? {}
      : {
          readEvent: (body: Buffer, headers: Headers, now: Date) =>
            readGatewayApiEvent(body, headers, webhookSecret, now),
        }),
  };
}

function requestOf({ sender, text, to, key }: SmsMessage) {
  return { sender, message: text, recipient: Number(to.slice(1)), reference: key };
}

interface Answer {
  msg_id?: unknown;
  message?: unknown;
}

async function readJson(response: { json(): Promise<unknown> }): Promise<Answer> {
  return (await response.json().catch(() => ({}))) as Answer;
}

/** Statuses that concern this message; other refusals (token, credit, rate) concern every message. */
const MESSAGE_REFUSED = new Set([400, 413, 422]);
const LOGIN_REFUSED = new Set([401, 402, 403]);
/** Answered before the message is read. */
const CLOSED = 503;

function resultOf(status: number, answer: Answer, taken: "sent" | "accepted"): SendResult {
  const detail = `GatewayAPI ${status}${typeof answer.message === "string" ? `: ${answer.message}` : ""}`.slice(0, 300);
  if (status >= 200 && status < 300)
    return { outcome: taken, detail: "", ...(typeof answer.msg_id === "string" ? { reference: answer.msg_id } : {}) };
  if (MESSAGE_REFUSED.has(status)) return { outcome: "refused", detail, reason: "rejected" };
  const reason = LOGIN_REFUSED.has(status) ? ("loginRefused" as const) : undefined;
  // GatewayAPI or a proxy (502, 504) may have failed after accepting the message.
  const outcome = status < 500 || status === CLOSED ? ("retry" as const) : ("unknown" as const);
  return { outcome, detail, reason, isChannelDown: true };
}

function resultOfError(error: unknown): SendResult {
  const detail = codeOf(error);
  return error instanceof NotConnected
    ? { outcome: "retry", detail, reason: "noConnection", isChannelDown: true }
    : { outcome: "unknown", detail, isChannelDown: true };
}

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

function readGatewayApiEvent(body: Buffer, headers: Headers, secret: string, now: Date): SmsEvent | Unreadable {
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
