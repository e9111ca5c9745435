import { createRequire } from "node:module";
import { type PassThrough, Readable } from "node:stream";
import { type Begin, reasonOfErrorCode, type SendingReason, type SendResult } from "../sending/port";
import { type EmailGateway, type EmailMessage, meaningOfReply } from "./port";

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
  /** The server's reply, e.g. `550 5.1.1 …`; its words may name people. */
  response?: string;
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

function resultOf(
  { code = "", responseCode, response = "", command = "" }: SmtpError,
  handedOver: boolean,
): SendResult {
  const status = /^\d{3}[ -](\d\.\d{1,3}\.\d{1,3})\b/.exec(response)?.[1] ?? "";
  const answer = responseCode === undefined ? "" : String(responseCode);
  const detail = answer === "" ? code : `${answer} ${status}`.trim();
  if (responseCode === undefined && handedOver) return { outcome: "unknown", detail, isChannelDown: true };
  if (!JUDGES_MESSAGE.has(command) || responseCode === NOT_AVAILABLE)
    return {
      outcome: "retry",
      detail: `${code} ${answer}`.trim(),
      reason: reasonOfErrorCode(code),
      isChannelDown: true,
    };
  if (responseCode === undefined) return { outcome: "retry", detail, reason: reasonOfErrorCode(code) };
  const reason = reasonOfReply({ answer, status }, command);
  if (responseCode >= 500) return { outcome: "refused", detail, reason };
  return { outcome: "retry", detail, reason: reason === "mailboxFull" ? reason : "receiverDelays" };
}

/** A refusal without an enhanced code concerns the mailbox when it answers the receiver, and the mail when it answers the text. */
function reasonOfReply(reply: { answer: string; status: string }, command: string): SendingReason {
  const meaning = meaningOfReply(reply);
  const isOfText = command !== "RCPT TO" && /^(\d\.0\.0)?$/.test(reply.status);
  if (meaning === null || (isOfText && meaning.reason === "noMailbox"))
    return reply.answer === "501" && !isOfText ? "noMailbox" : "mailRefused";
  return meaning.reason;
}
