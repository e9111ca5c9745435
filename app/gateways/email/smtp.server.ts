import { createRequire } from "node:module";
import { reasonOfErrorCode } from "../sending/error-code";
import type { SendingReason, SendResult } from "../sending/port";
import type { EmailGateway, EmailMessage } from "./port";

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** They end a silent connection; nodemailer has no way to end one that is not silent. `createTransport(url, …)` would take them as a message's defaults and forget them. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

// Loaded only where SMTP is set.
const loadNodemailer = () => createRequire(import.meta.url)("nodemailer") as typeof import("nodemailer");

/** Sends over SMTP with nodemailer. SMTP cannot deduplicate. */
export function createSmtpGateway(url: string): EmailGateway {
  return {
    label: "SMTP",
    mode: "live",
    deduplicates: false,
    async send(message: EmailMessage): Promise<SendResult> {
      const connection = { handedOver: false };
      const transport = loadNodemailer().createTransport({ url, ...timeouts, logger: watch(connection) });
      try {
        const info = await transport.sendMail({
          from: message.from,
          to: { name: "", address: message.to },
          ...(message.bounceTo === undefined ? {} : { envelope: { from: message.bounceTo, to: message.to } }),
          subject: message.subject,
          text: message.text,
          html: message.html,
          messageId: `<${message.key}@${message.from.address.split("@")[1]}>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "sent", detail: String(info.response ?? "") };
      } catch (error) {
        return resultOf(error as SmtpError, connection.handedOver);
      }
    },
  };
}

/**
 * nodemailer reports of a lost connection only that it was lost, whatever had been sent over it (`CONN`). Its log tells when the message's
 * last line was written; before that no server can have taken it.
 */
function watch(connection: { handedOver: boolean }) {
  const ignore = () => undefined;
  const info = ({ tnx }: { tnx?: string }) => {
    if (tnx === "message") connection.handedOver = true;
  };
  return { trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore };
}

/** Errors before any server has judged the message: the next one would meet the same. */
const NOBODY_THERE = new Set(["ECONNECTION", "ESOCKET", "EDNS", "ETLS", "EAUTH"]);

/** What a server's number says of the mailbox; what it refuses for other reasons says its own words. */
const mailboxReasons: Readonly<Record<number, SendingReason>> = {
  452: "mailboxFull",
  550: "noMailbox",
  551: "noMailbox",
  552: "mailboxFull",
  553: "noMailbox",
  554: "noMailbox",
};

function resultOf(error: SmtpError, handedOver: boolean): SendResult {
  const detail = `${error.code ?? ""} ${error.responseCode ?? ""}`.trim();
  const answered = error.responseCode !== undefined;
  const isChannelDown = NOBODY_THERE.has(error.code ?? "");
  const reason = mailboxReasons[error.responseCode ?? 0] ?? reasonOfErrorCode(error.code ?? "");
  if (answered && error.responseCode! >= 500 && error.code !== "EAUTH") return { outcome: "refused", detail, reason };
  return answered || !handedOver ? { outcome: "retry", detail, reason, isChannelDown } : { outcome: "unknown", detail };
}
