import nodemailer from "nodemailer";
import type { EmailGateway, EmailMessage, EmailOutcome } from "./port";

interface SmtpError extends Error {
  code?: string;
  command?: string;
  responseCode?: number;
}

/** Up to and including these commands nothing has been handed over. */
const BEFORE_DATA = ["CONN", "EHLO", "HELO", "STARTTLS", "AUTH", "AUTH PLAIN", "AUTH LOGIN", "API", "MAIL FROM", "RCPT TO"];

/** Sends over SMTP with nodemailer. SMTP cannot deduplicate. */
export function createSmtpGateway(url: string): EmailGateway {
  const transport = nodemailer.createTransport(url, { connectionTimeout: 15_000, greetingTimeout: 15_000, socketTimeout: 60_000 } as never);
  return {
    label: "SMTP",
    delivers: true,
    deduplicates: false,
    async send(message: EmailMessage): Promise<EmailOutcome> {
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
        return outcomeOf(error as SmtpError);
      }
    },
  };
}

function outcomeOf(error: SmtpError): EmailOutcome {
  const detail = `${error.code ?? ""} ${error.responseCode ?? ""}`.trim();
  const answered = error.responseCode !== undefined;
  if (answered && error.responseCode! >= 500 && error.code !== "EAUTH") return { outcome: "refused", detail };
  const notHandedOver = answered || error.code === "EAUTH" || error.code === "EDNS" || BEFORE_DATA.includes(error.command ?? "");
  return { outcome: notHandedOver ? "retry" : "unknown", detail };
}
