import path from "node:path";
import { createMailboxGateway } from "./mailbox.server";
import type { EmailGateway } from "./port";
import { createSmtpGateway } from "./smtp.server";

/** SMTP when `SMTP_URL` is set; the mailbox folder under DATA_DIR otherwise. */
export function chooseEmailGateway({ smtpUrl, dataDir }: { smtpUrl: string | null; dataDir: string }): EmailGateway {
  return smtpUrl === null ? createMailboxGateway(path.join(dataDir, "mailbox")) : createSmtpGateway(smtpUrl);
}
