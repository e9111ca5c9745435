import { type ChannelName, channelNames } from "./delivery-outcome";

/** How a provider that remembers knows a message: with the row's own random key, since numbers begin anew in another database: `eboks-12-0f3c…`. */
export const globalIdOf = (channel: ChannelName, outboxId: number, rowKey: string) =>
  `${channel}-${outboxId}-${rowKey.slice(0, 16)}`;
export const readGlobalId = (text: string): { channel: ChannelName; outboxId: number } | null => {
  const [, name, id] = /^([a-z]+)-(\d{1,15})-[0-9a-f]*$/.exec(text) ?? [];
  const channel = channelNames.find((each) => each === name);
  return channel === undefined ? null : { channel, outboxId: Number(id) };
};
