import { setTimeout as sleep } from "node:timers/promises";
import type { Queued, Tried } from "../factories/queued-messages";
import type { OutagesPortal } from "./portals/outages-portal";

/**
 * `arrived`: once, and counted as handed over. `asked about`: a person is asked once, and it arrived at most once.
 * Anything else is wrong.
 */
export type EndOfMessage = "arrived" | "asked about" | `wrong: ${string}`;

/** Time limit of everything awaited. */
const LIMIT_MS = 300_000;
/** Lanes look once a second. */
const LOOKED_MS = 1_500;

export const channelsOf = (queued: Queued[]) => [...new Set(queued.map(({ channel }) => channel))];

/** Outcomes by the rows, the providers' counts, and the page 'Fejl'. */
export function endsOf(outages: OutagesPortal) {
  const { db } = outages.portal;
  const rowsOf = (queued: Queued[]) => {
    const ids = queued.map(({ id }) => id);
    return db
      .selectFrom("outbox")
      .select(["id", "channel", "outcome", "reason", "detail", "sendingSince"])
      .where("id", "in", ids)
      .execute();
  };
  const attemptsOf = (queued: Queued[]) => {
    const ids = queued.map(({ id }) => id);
    return db.selectFrom("outboxAttempt").select(["outboxId", "outcome"]).where("outboxId", "in", ids).execute();
  };
  const of = (channel: Tried, queued: Queued[]) => queued.filter((each) => each.channel === channel);

  async function until(what: string, isSo: () => Promise<boolean>) {
    const limit = Date.now() + LIMIT_MS;
    while (!(await isSo())) {
      if (Date.now() > limit) throw new Error(`not within ${LIMIT_MS / 1000} s: ${what}`);
      await sleep(50);
    }
  }
  const quiet = () =>
    until("no message is being sent", async () => {
      const leased = await db.selectFrom("outbox").select("id").where("leaseOwner", "is not", null).executeTakeFirst();
      return leased === undefined;
    });
  const looked = () => sleep(LOOKED_MS);

  /** Letters then await the distributor's report, which is not part of this. */
  const isEnded = ({ outcome, channel }: { outcome: string; channel: string }) =>
    !(outcome === "queued" || (outcome === "awaiting" && channel === "archive"));

  /** Whether an attempt has failed or the register has not answered. */
  async function isFelt(queued: Queued[]) {
    const attempts = await attemptsOf(queued);
    const rows = await rowsOf(queued);
    return (
      attempts.some(({ outcome }) => outcome === "retry" || outcome === "unknown") ||
      rows.some(({ reason }) => reason === "registerSilent")
    );
  }

  return {
    rowsOf,
    quiet,
    looked,
    /** Waits until each channel has met the fault or sent nonetheless. */
    async tried(queued: Queued[]) {
      for (const channel of channelsOf(queued)) {
        const own = of(channel, queued);
        const isTried = async () => (await isFelt(own)) || (await rowsOf(own)).some(isEnded);
        await until(`${channel} is tried`, isTried);
      }
      await quiet();
    },
    async feltBy(queued: Queued[]) {
      const felt = new Set<Tried>();
      for (const channel of channelsOf(queued)) if (await isFelt(of(channel, queued))) felt.add(channel);
      return felt;
    },
    /** Advances a quarter of an hour at a time until each message has ended. */
    async ended(queued: Queued[]) {
      await until("every message has come to its end", async () => {
        await looked();
        await quiet();
        if ((await rowsOf(queued)).every(isEnded)) return true;
        outages.advance({ minutes: 16 });
        return false;
      });
    },
    async of(queued: Queued[], origin: string) {
      const rows = new Map((await rowsOf(queued)).map((row) => [row.id, row]));
      const attempts = await attemptsOf(queued);
      const listed = new Map<Tried, number[]>();
      for (const channel of channelsOf(queued)) listed.set(channel, await outages.failures(origin, channel));
      const endOf = async (message: Queued): Promise<EndOfMessage> => {
        const { outcome, detail } = rows.get(message.id)!;
        const arrived = await outages.arrived(message);
        const asked = listed.get(message.channel)!.filter((id) => id === message.id).length;
        const doubts = attempts.filter(({ outboxId: id, outcome: made }) => id === message.id && made === "unknown");
        if ((outcome === "sent" || outcome === "awaiting") && arrived === 1 && asked === 0) return "arrived";
        if (outcome === "unknown" && arrived <= 1 && asked === 1 && doubts.length === 1) return "asked about";
        return `wrong: ${message.id} ${outcome} (${detail}), arrived ${arrived}, asked about ${asked}, doubts ${doubts.length}`;
      };
      return Promise.all(queued.map(async (message) => ({ channel: message.channel, end: await endOf(message) })));
    },
  };
}
