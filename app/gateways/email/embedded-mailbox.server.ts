import { createMessageFolder } from "../sending/message-folder.server";
import { STORED_LOCALLY } from "../sending/port";
import type { EmailGateway, EmailMessage } from "./port";

/** Keeps mail in a folder during a trial without SMTP. */
export function createEmbeddedMailbox(folder: string): EmailGateway {
  const mailbox = createMessageFolder<EmailMessage>(folder);
  return {
    label: "Prøve: mails lægges i mappen mailbox",
    mode: "embedded",
    deduplicates: true,
    async send(message) {
      await mailbox.store(message);
      return { outcome: "sent", detail: STORED_LOCALLY };
    },
    listStored: (limit) => mailbox.list(limit),
  };
}
