import { createRequire } from "node:module";
import { type PassThrough, Readable } from "node:stream";
import { type Begin, reasonOfErrorCode, type SendingReason, type SendResult } from "../sending/port";
import type { EmailGateway, EmailMessage } from "./port";

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** The command that was answered, e.g. `RCPT TO`; `API` if nodemailer refused the message. */
  command?: string;
}

/** End silent connections. `createTransport(url, …)` would treat them as message defaults and ignore them. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

const loadNodemailer = () => createRequire(import.meta.url)("nodemailer") as typeof import("nodemailer");

/**
 * Sends over SMTP with nodemailer; SMTP cannot deduplicate. `requireTLS`: neither password nor mail is sent without
 * STARTTLS.
 */
export function createSmtpGateway(url: string, { requireTLS = false } = {}): EmailGateway {
  return {
    label: "SMTP",
    mode: "live",
    deduplicates: false,
    connectsFirst: true,
    async send(message: EmailMessage, signal: AbortSignal, begin: Begin): Promise<SendResult> {
      const connection = { handedOver: false };
      const transport = loadNodemailer().createTransport({ url, requireTLS, ...timeouts, logger: watch(connection) });
      transport.use("stream", ({ message: mail }, done) => {
        const written = mail.createReadStream.bind(mail);
        mail.createReadStream = () => Readable.from(after(begin, written), { objectMode: false }) as PassThrough;
        done();
      });
      try {
        const info = await transport.sendMail({
          signal,
          from: message.from,
          to: { name: "", address: message.to },
          ...(message.bounceTo === undefined ? {} : { envelope: { from: message.bounceTo, to: message.to } }),
          subject: message.subject,
          text: message.text,
          html: message.html,
          messageId: `<${message.key}@${message.from.address.split("@")[1]}>`,
          headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
        });
        return { outcome: "sent", detail: String(info.response ?? "") };
      } catch (error) {
        return resultOf(error as SmtpError, connection.handedOver);
      }
    },
  };
}

/** The mail's bytes, read after the server accepted sender and recipient; `begin` runs before the first. */
async function* after(begin: Begin, written: () => Readable) {
  await begin();
  yield* written();
}

/**
 * nodemailer reports any lost connection as `CONN`. Its log tells when the last line was written; before that no server
 * can have accepted the message.
 */
function watch(connection: { handedOver: boolean }) {
  const ignore = () => undefined;
  const info = ({ tnx }: { tnx?: string }) => {
    if (tnx === "message") connection.handedOver = true;
  };
  return { trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore };
}

/** Replies to these commands concern the message; others (greeting, login, sender) would meet every message. */
const JUDGES_MESSAGE = new Set(["RCPT TO", "DATA", "API"]);
/** The server closes the connection after this reply. */
const NOT_AVAILABLE = 421;

/** Reasons by reply code of the mailbox; other refusals keep the server's words. */
const mailboxReasons: Readonly<Record<number, SendingReason>> = {
  452: "mailboxFull",
  550: "noMailbox",
  551: "noMailbox",
  552: "mailboxFull",
  553: "noMailbox",
  554: "noMailbox",
};

function resultOf({ code = "", responseCode, command = "" }: SmtpError, handedOver: boolean): SendResult {
  const detail = `${code} ${responseCode ?? ""}`.trim();
  if (responseCode === undefined && handedOver) return { outcome: "unknown", detail, isChannelDown: true };
  if (!JUDGES_MESSAGE.has(command) || responseCode === NOT_AVAILABLE)
    return { outcome: "retry", detail, reason: reasonOfErrorCode(code), isChannelDown: true };
  const reason = mailboxReasons[responseCode ?? 0] ?? reasonOfErrorCode(code);
  return { outcome: responseCode !== undefined && responseCode >= 500 ? "refused" : "retry", detail, reason };
}
