import { readSenders } from "~/features/settings/settings.server";
import { bounceTo } from "../bounce-address.server";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";
import { type Channel, FOUR_HOURS } from "./channel";
import type { EmailContent } from "../port";

export const email: Channel<EmailContent> = {
  concurrency: 3,
  leaseSeconds: LEASE_SECONDS,
  timeoutSeconds: 120,
  retryMinutes: FOUR_HOURS,
  pollMinutes: 0,
  awaitHours: () => 48,
  codes: { queued: 0, awaiting: 2, sent: 3, failed: 9, unknown: 9, withdrawn: 9, notConfigured: 8 },
  logType: "email",
  sender: ({ config }) => config.mailFrom,
  gateway: (portal) => portal.email,
  send: async (portal, { key, globalId, to, content }, signal, begin) => {
    const { emailName: name } = await readSenders(portal);
    const from = { name, address: portal.config.mailFrom };
    return portal.email.send({ key, from, to, ...content, ...bounceTo(portal, globalId) }, signal, begin);
  },
};
