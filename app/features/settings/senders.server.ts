import type { Portal } from "~/portal.server";
import { readSettings } from "./read-setting.server";

export const senderSettings = ["emailSenderName", "smsSender"] as const;

interface Senders {
  emailName: string;
  sms: string;
}

/** Senders of mails and SMS; the configuration is the default. */
export async function readSenders({ db, config }: Pick<Portal, "db" | "config">): Promise<Senders> {
  const { emailSenderName, smsSender } = await readSettings(db, senderSettings);
  return { emailName: emailSenderName || config.productName, sms: smsSender || config.sms.sender };
}
