import { type ChannelName, channelNames } from "./delivery-outcome";

/**
 * A message's id at providers that remember: it includes the row's random key, because ids restart in another database:
 * `eboks-12-0f3c…`.
 */
export const globalIdOf = (channel: ChannelName, outboxId: number, rowKey: string) =>
  `${channel}-${outboxId}-${rowKey.slice(0, 16)}`;
export const readGlobalId = (text: string): { channel: ChannelName; outboxId: number } | null => {
  const [, name, id] = /^([a-z]+)-(\d{1,15})-[0-9a-f]*$/.exec(text) ?? [];
  const channel = channelNames.find((each) => each === name);
  return channel === undefined ? null : { channel, outboxId: Number(id) };
};
