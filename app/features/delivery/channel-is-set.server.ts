import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import type { ChannelName } from "./delivery-outcome";

/** Whether anything can be sent by a channel: whoever asks for a message is told so before, where nothing can. */
export const isChannelSet = (portal: Portal, channel: ChannelName): boolean =>
  channels[channel].gateway(portal).mode !== "notConfigured";
