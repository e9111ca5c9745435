import { createHmac, randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";

export const SMS_TOKEN = "token-of-the-tests";
export const WEBHOOK_SECRET = "k3JxV9wQzT7bLm2NpR5sYc8dFg4hAe6u";

export interface SentSms {
  sender: string;
  message: string;
  recipient: number;
  reference: string;
}

export interface GatewayApiPeer {
  url: string;
  deliveries: SentSms[];
  /** Number of requests, whatever their outcome. */
  requests: number;
  /** Answers with this status and JSON instead of taking the message. */
  refuse: { status: number; body: unknown } | null;
  /** After taking a message: 202, a closed connection, or silence. */
  afterTaking: "accept" | "close" | "hang";
  reset(): void;
  stop(): Promise<void>;
}

/** A scripted GatewayAPI server on a free port of 127.0.0.1, over TLS with a certificate. */
export async function startGatewayApiPeer(tls?: { key: string; cert: string }): Promise<GatewayApiPeer> {
  const heard = (request: IncomingMessage, response: ServerResponse) => void answer(peer, request, response);
  const server = tls ? createTlsServer(tls, heard) : createServer(heard);
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const peer: GatewayApiPeer = {
    url: `${tls ? "https" : "http"}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    deliveries: [],
    requests: 0,
    refuse: null,
    afterTaking: "accept",
    reset() {
      Object.assign(peer, { deliveries: [], requests: 0, refuse: null, afterTaking: "accept" });
    },
    stop: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
  return peer;
}

async function answer(peer: GatewayApiPeer, request: IncomingMessage, response: ServerResponse): Promise<void> {
  peer.requests += 1;
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const reply = (status: number, body: unknown) =>
    response.writeHead(status, { "Content-Type": "application/json" }).end(JSON.stringify(body));
  if (request.method !== "POST" || request.url !== "/mobile/single") return void reply(404, { message: "Not Found" });
  if (request.headers.authorization === undefined) return void reply(401, { message: "Unauthorized" });
  if (request.headers.authorization !== `Token ${SMS_TOKEN}`) return void reply(403, { message: "Forbidden" });
  const sms = JSON.parse(Buffer.concat(chunks).toString("utf8")) as SentSms;
  const error = errorIn(sms);
  if (error) return void reply(422, { message: error });
  if (peer.refuse) return void reply(peer.refuse.status, peer.refuse.body);
  peer.deliveries.push(sms);
  if (peer.afterTaking === "close") return void request.socket.destroy();
  if (peer.afterTaking === "accept")
    reply(202, { msg_id: `01PEER${peer.deliveries.length}`, recipient: sms.recipient, reference: sms.reference });
}

/** By its OpenAPI description. */
function errorIn({ sender, message, recipient, reference }: SentSms): string | null {
  if (typeof recipient !== "number" || !Number.isSafeInteger(recipient) || recipient <= 1000)
    return "recipient: must be an integer";
  if (typeof sender !== "string" || sender.length < 3 || sender.length > 18) return "sender: 3 to 18 characters";
  if (typeof message !== "string" || message === "") return "message: must not be empty";
  return typeof reference === "string" && reference.length <= 256 ? null : "reference: must be a string";
}

export interface SignedEvent {
  body: string;
  signature: string;
}

/** A signed webhook event. */
export function signedEvent(
  type: string,
  event: unknown,
  { eventId = randomUUID() as string, at, secret = WEBHOOK_SECRET }: { eventId?: string; at: Date; secret?: string },
): SignedEvent {
  const body = JSON.stringify({ event_id: eventId, timestamp: at.toISOString(), event_type: type, event });
  return { body, signature: `v1=${createHmac("sha256", secret).update(body).digest("hex")}` };
}

/** The outcome of an SMS. */
export const receiptEvent = (
  reference: string,
  status: string,
  more: { eventId?: string; at: Date; secret?: string },
) =>
  signedEvent(
    "message.status.sms",
    { msg_id: "01PEER1", recipient: 4540123456, reference, status, status_at: more.at.toISOString(), error: null },
    more,
  );

export const replyEvent = (from: number, text: string, more: { eventId?: string; at: Date; secret?: string }) =>
  signedEvent(
    "user-message.text.sms",
    {
      msg_id: "01PEER9",
      sender: from,
      recipient: 451204,
      sent_at: more.at.toISOString(),
      content: { message: text, encoding: "GSM0338", header: null },
    },
    more,
  );
