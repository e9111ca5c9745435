import { createRequire } from "node:module";
import type { EmailGateway, EmailMessage, EmailOutcome } from "./port";

interface SmtpError extends Error {
  code?: string;
  responseCode?: number;
}

/** Together well within the outbox's lease. `createTransport(url, …)` would take them as a message's defaults and forget them. */
const timeouts = { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 };

// Loaded only where SMTP is set.
const loadNodemailer = () => createRequire(import.meta.url)("nodemailer") as typeof import("nodemailer");

/** Sends over SMTP with nodemailer. SMTP cannot deduplicate. */
export function createSmtpGateway(url: string): EmailGateway {
  return {
    label: "SMTP",
    delivers: true,
    deduplicates: false,
    async send(message: EmailMessage): Promise<EmailOutcome> {
      const line = { handedOver: false };
      const transport = loadNodemailer().createTransport({ url, ...timeouts, logger: watch(line) });
      try {
        const info = await transport.sendMail({
          from: message.from,
          to: { name: "", address: message.to },
          subject: message.subject,
          text: message.text,
          html: message.html,
          messageId: `<${message.key}@${message.from.address.split("@")[1]}>`,
          headers: { "Auto-Submitted": "auto-generated" },
        });
        return { outcome: "sent", detail: String(info.response ?? "") };
      } catch (error) {
        return outcomeOf(error as SmtpError, line.handedOver);
      }
    },
  };
}

/**
 * nodemailer says of a lost line only that it was lost, whatever had been sent over it (`CONN`). Its log tells when the message's
 * last line was written; before that no server can have taken it.
 */
function watch(line: { handedOver: boolean }) {
  const ignore = () => undefined;
  const info = ({ tnx }: { tnx?: string }) => {
    if (tnx === "message") line.handedOver = true;
  };
  return { trace: ignore, debug: ignore, info, warn: ignore, error: ignore, fatal: ignore };
}

function outcomeOf(error: SmtpError, handedOver: boolean): EmailOutcome {
  const detail = `${error.code ?? ""} ${error.responseCode ?? ""}`.trim();
  const answered = error.responseCode !== undefined;
  if (answered && error.responseCode! >= 500 && error.code !== "EAUTH") return { outcome: "refused", detail };
  return { outcome: answered || !handedOver ? "retry" : "unknown", detail };
}
