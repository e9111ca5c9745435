import type { ChangeContext } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { readSettings } from "./read-setting.server";

export const senderSettings = ["emailSenderName", "smsSender"] as const;

const CACHE_KEY = "senders";

interface Senders {
  emailName: string;
  sms: string;
}

/** Whom mails and SMS come from: as the clinic has set it, until then by the configuration. Asked for at every sending, so it is cached. */
export const readSenders = ({ db, config, cache }: Pick<Portal, "db" | "config" | "cache">): Promise<Senders> =>
  cache.get(CACHE_KEY, async () => {
    const { emailSenderName, smsSender } = await readSettings(db, senderSettings);
    return { emailName: emailSenderName || config.productName, sms: smsSender || config.sms.sender };
  });

export function invalidateSenders({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(CACHE_KEY));
}
