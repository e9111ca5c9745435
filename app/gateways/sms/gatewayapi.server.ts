import { codeOf, fetchOutside, NotConnected } from "../http/fetch-outside.server";
import type { SendResult } from "../sending/port";
import { readGatewayApiEvent } from "./gatewayapi-webhook.server";
import type { SmsGateway, SmsMessage } from "./port";

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

/** These judge the message; other refusals (token, credit, rate) concern every message. */
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
