import { z } from "zod";
import { subHours } from "date-fns";
import { read } from "~/access/operation.server";
import { channelNames, SETTLED } from "./delivery-outcome";
import { countSettled, countWaiting } from "./store.server";

export const readDeliveryMetrics = read({
  name: "readDeliveryMetrics",
  permission: "system",
  input: z.object({}),
  async run({ db, now }) {
    const [waiting, settled] = [await countWaiting(db), await countSettled(db, subHours(now, 1))];
    const countIn = (rows: { channel: string; outcome: string; count: number }[], channel: string, outcome: string) =>
      Number(rows.find((row) => row.channel === channel && row.outcome === outcome)?.count ?? 0);
    return channelNames.map((channel) => {
      const due = waiting.find((row) => row.channel === channel && row.outcome === "queued")?.first_due;
      return {
        channel,
        queued: countIn(waiting, channel, "queued"),
        awaiting: countIn(waiting, channel, "awaiting"),
        oldestSeconds: due ? Math.max(0, (now.getTime() - new Date(due).getTime()) / 1000) : 0,
        settled: SETTLED.map((outcome) => ({ outcome, count: countIn(settled, channel, outcome) })),
      };
    });
  },
});
