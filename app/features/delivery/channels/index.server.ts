import type { ChannelName } from "../delivery-outcome";
import { type Channel, usualChannel } from "./channel.server";
import type { ChannelContent, EmailContent, SmsContent } from "../port";
import { archive } from "./archive.server";
import { edi } from "./edi.server";
import { eboks, print } from "./letters.server";
import type { Portal } from "~/portal.server";
import { readSenders } from "~/features/settings/settings.server";
import { bounceTo } from "../message-ids.server";

const email: Channel<EmailContent> = {
  ...usualChannel,
  concurrency: 3,
  timeoutSeconds: 120,
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
  ...usualChannel,
  concurrency: 5,
  timeoutSeconds: 30,
  pollMinutes: 10,
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
