import type { Portal } from "~/portal.server";
import { channels } from "./channels/index.server";
import { type ChannelName, channelNames } from "./delivery-outcome";
import { messageKinds } from "./message-kinds";
import { findNewestTo } from "./store.server";
import { unsealMessage } from "./sealed-message.server";

const MAX_SHOWN = 5;

const testChannels = channelNames.filter((name) => messageKinds.testMessage.channels[name] !== undefined);

/** A person's test messages, newest first, with the state of each channel. */
export async function listTestMessages(portal: Portal, userId: number) {
  const { db, secrets } = portal;
  const rows = await findNewestTo(db, userId, "testMessage", MAX_SHOWN);
  return {
    channels: testChannels.map((name) => ({ name, mode: channels[name].gateway(portal).mode })),
    messages: rows.map((row) => ({
      id: row.id,
      channel: row.channel as ChannelName,
      to: unsealMessage(secrets, row).to ?? "",
      createdAt: row.created_at,
      outcome: row.outcome,
      detail: row.detail,
    })),
  };
}
