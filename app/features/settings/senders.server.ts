import type { Portal } from "~/portal.server";
import { readSettings } from "./read-setting.server";

export const senderSettings = ["emailSenderName", "smsSender"] as const;

interface Senders {
  emailName: string;
  sms: string;
}

/** Whom mails and SMS come from: as the clinic has set it, until then by the configuration. */
export async function readSenders({ db, config }: Pick<Portal, "db" | "config">): Promise<Senders> {
  const { emailSenderName, smsSender } = await readSettings(db, senderSettings);
  return { emailName: emailSenderName || config.productName, sms: smsSender || config.sms.sender };
}
