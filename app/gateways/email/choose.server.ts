import path from "node:path";
import { notConfigured } from "../sending/not-configured";
import { createEmbeddedMailbox } from "./embedded-mailbox.server";
import type { EmailGateway } from "./port";
import { createSmtpGateway } from "./smtp.server";

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
