import { createMessageFolder } from "../sending/embedded-letters.server";
import { notConfigured, STORED_LOCALLY } from "../sending/port";
import type { EmailGateway, EmailMessage } from "./port";
import path from "node:path";
import { createSmtpGateway } from "./smtp.server";

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

/** SMTP with `SMTP_URL`; otherwise the mailbox folder under DATA_DIR outside production. */
export function chooseEmailGateway({
  smtpUrl,
  smtpRequiresTls,
  dataDir,
  production,
}: {
  smtpUrl: string | null;
  smtpRequiresTls: boolean;
  dataDir: string;
  production: boolean;
}): EmailGateway {
  if (smtpUrl !== null) return createSmtpGateway(smtpUrl, { requireTLS: smtpRequiresTls });
  return production
    ? notConfigured("E-mail er ikke indstillet (SMTP_URL)")
    : createEmbeddedMailbox(path.join(dataDir, "mailbox"));
}
