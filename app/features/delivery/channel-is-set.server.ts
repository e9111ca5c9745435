import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import type { ChannelName } from "./delivery-outcome";

export const isChannelSet = (portal: Portal, channel: ChannelName): boolean =>
  channels[channel].gateway(portal).mode !== "notConfigured";
