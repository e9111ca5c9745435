import type { ChannelName } from "../delivery-outcome";
import { type Channel, FOUR_HOURS } from "./channel";
import type { ChannelContent, EmailContent, SmsContent } from "../port";
import { archive } from "./archive.server";
import { edi } from "./edi.server";
import { eboks, print } from "./letters.server";
import type { Portal } from "~/portal.server";
import { readSenders } from "~/features/settings/settings.server";
import { bounceTo } from "../message-ids.server";
import { LEASE_SECONDS } from "~/features/job-register/operations.server";

const email: Channel<EmailContent> = {
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

export const channels: { readonly [Name in ChannelName]: Channel<ChannelContent[Name]> } = {
  email,
  sms,
  eboks,
  print,
  edi,
  archive,
};

export const isChannelSet = (portal: Portal, channel: ChannelName): boolean =>
  channels[channel].gateway(portal).mode !== "notConfigured";
