import type { ChannelName } from "../delivery-outcome";
import type { Channel } from "./channel";
import type { ChannelContent } from "../port";
import { archive } from "./archive.server";
import { email } from "./email.server";
import { edi } from "./edi.server";
import { eboks, print } from "./letters.server";
import { sms } from "./sms.server";

export const channels: { readonly [Name in ChannelName]: Channel<ChannelContent[Name]> } = {
  email,
  sms,
  eboks,
  print,
  edi,
  archive,
};
