import { createKeptFolder } from "../sending/kept-folder.server";
import { KEPT_HERE } from "../sending/port";
import type { EmailGateway, EmailMessage } from "./port";

/** Without SMTP a trial keeps its mail here. */
export function createMailboxGateway(folder: string): EmailGateway {
  const mailbox = createKeptFolder<EmailMessage>(folder);
  return {
    label: "Prøve: mails lægges i mappen mailbox",
    mode: "embedded",
    deduplicates: true,
    async send(message) {
      await mailbox.keep(message);
      return { outcome: "sent", detail: KEPT_HERE };
    },
    kept: (limit) => mailbox.list(limit),
  };
}
