import type { AddressInfo, Socket } from "node:net";
import { SMTPServer } from "smtp-server";

export interface Delivery {
  /** Envelope sender, the address for bounces. */
  from: string;
  to: string;
  raw: string;
}

export interface SmtpPeer {
  url: string;
  /** Mails confirmed with 250, or received completely before the connection was closed. */
  deliveries: Delivery[];
  requests: number;
  /** Answer to RCPT TO; null accepts. */
  refuseRecipient: { code: number; text: string } | null;
  /** After the last line: 250, or a closed connection. */
  afterData: "accept" | "close";
  /** Awaited before RCPT TO is answered. */
  holdRecipient: (() => Promise<void>) | null;
  /** Awaited before DATA is answered. */
  holdAfterData: (() => Promise<void>) | null;
  reset(): void;
  stop(): Promise<void>;
}

/** A scripted SMTP server on a free port of 127.0.0.1, with STARTTLS if it has a certificate. */
export async function startSmtpPeer(tls?: { key: string; cert: string }): Promise<SmtpPeer> {
  const sockets = new Map<number, Socket>();
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: tls ? ["AUTH"] : ["STARTTLS", "AUTH"],
    ...tls,
    logger: false,
    onRcptTo(_address, _session, answer) {
      peer.requests += 1;
      const refusal = peer.refuseRecipient;
      void (peer.holdRecipient?.() ?? Promise.resolve()).then(() =>
        answer(refusal === null ? null : Object.assign(new Error(refusal.text), { responseCode: refusal.code })),
      );
    },
    onData(stream, session, answer) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        const to = session.envelope.rcptTo.map(({ address }) => address).join(", ");
        const { mailFrom } = session.envelope;
        peer.deliveries.push({
          from: mailFrom === false ? "" : mailFrom.address,
          to,
          raw: Buffer.concat(chunks).toString("latin1"),
        });
        const closes = peer.afterData === "close";
        void (peer.holdAfterData?.() ?? Promise.resolve()).then(() => {
          if (closes) sockets.get(session.remotePort)?.destroy();
          else answer(null, "taget imod");
        });
      });
    },
  });
  server.on("error", () => undefined);
  server.server.on("connection", (socket: Socket) => {
    const port = socket.remotePort ?? 0;
    sockets.set(port, socket);
    socket.once("close", () => sockets.delete(port));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const peer: SmtpPeer = {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    deliveries: [],
    requests: 0,
    refuseRecipient: null,
    afterData: "accept",
    holdRecipient: null,
    holdAfterData: null,
    reset() {
      Object.assign(peer, {
        deliveries: [],
        requests: 0,
        refuseRecipient: null,
        afterData: "accept",
        holdRecipient: null,
        holdAfterData: null,
      });
    },
    stop: () =>
      new Promise((resolve) => {
        for (const socket of sockets.values()) socket.destroy();
        server.close(() => resolve());
      }),
  };
  return peer;
}

/** A received mail, decoded. */
export function readMail(raw: string) {
  const [head = "", ...rest] = raw.split("\r\n\r\n");
  const headers = headersOf(head);
  const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1] ?? "";
  const parts = rest.join("\r\n\r\n").split(`--${boundary}`);
  const part = (type: string) => {
    const found = parts.find((text) => text.includes(`Content-Type: ${type}`)) ?? "";
    const [partHead = "", ...body] = found.trimStart().split("\r\n\r\n");
    return bodyOf(body.join("\r\n\r\n"), headersOf(partHead)["content-transfer-encoding"] ?? "7bit");
  };
  return {
    from: words(headers.from ?? ""),
    subject: words(headers.subject ?? ""),
    messageId: headers["message-id"] ?? "",
    text: part("text/plain"),
    html: part("text/html"),
  };
}

function headersOf(head: string): Record<string, string> {
  const lines = head.replace(/\r\n[ \t]+/g, " ").split("\r\n");
  return Object.fromEntries(
    lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.slice(line.indexOf(":") + 1).trim()]),
  );
}

function words(header: string): string {
  return header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_all, how: string, text: string) =>
      how.toLowerCase() === "b"
        ? Buffer.from(text, "base64").toString("utf8")
        : quotedPrintable(text.replace(/_/g, " ")),
    );
}

function bodyOf(body: string, encoding: string): string {
  if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
  return encoding === "quoted-printable" ? quotedPrintable(body) : body;
}

function quotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
