import { readSenders } from "~/features/settings/settings.server";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import { type Channel, FOUR_HOURS } from "./channel";
import type { SmsContent } from "../port";

export const sms: Channel<SmsContent> = {
  concurrency: 5,
  leaseSeconds: LEASE_SECONDS,
  timeoutSeconds: 30,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 10,
  awaitHours: () => 48,
  codes: { queued: 0, awaiting: 0, sent: 1, failed: 2, unknown: 2, withdrawn: 2, notConfigured: 2 },
  logType: "sms",
  gateway: (portal) => portal.sms,
  send: async (portal, { key, to, content }, signal, begin) => {
    const { sms: sender } = await readSenders(portal);
    return portal.sms.send({ key, sender, to, text: content.text }, signal, begin);
  },
};
