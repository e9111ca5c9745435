import { execute, plainInput } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { readDue, sendMessage } from "~/features/delivery/send-message.server";
import { isPausedCopy } from "~/features/copies/copy-state.server";
import type { Portal } from "~/portal.server";
import { backOffMs, type Loop, startLoop } from "./loop.server";
import { systemCaller } from "./system-caller";

const IDLE_MS = 1000;

/**
 * Sends what is due in one channel, as many messages at once as the channel takes. Lanes know nothing of each other: a provider that hangs
 * holds up its own messages alone. While a provider is down as a whole, its lane asks ever more seldom.
 */
export function startLane(portal: Portal, channel: ChannelName, owner: string): Loop {
  const caller = systemCaller(`lane ${channel}`);
  let downs = 0;
  const sendNext = async () => {
    const { isDue } = await execute(portal, caller, readDue, plainInput({ channel }));
    if (!isDue || (await isPausedCopy(portal.db))) return "idle" as const;
    const { data: found } = await execute(portal, caller, sendMessage, plainInput({ owner, channel }));
    if (found?.sent !== true) return "idle" as const;
    downs = found.isChannelDown === true ? downs + 1 : 0;
    return downs === 0 ? ("again" as const) : { pauseMs: backOffMs(downs) };
  };
  const slots = Array.from({ length: channels[channel].concurrency }, () =>
    startLoop(`lane ${channel}`, { log: portal.log, idleMs: IDLE_MS }, sendNext),
  );
  return {
    async stop() {
      await Promise.all(slots.map((slot) => slot.stop()));
    },
  };
}
