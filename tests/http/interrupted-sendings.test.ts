// @module-tag matrix
// @module-tag orthanc
// @module-tag openssh
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { CHANNELS, type Queued, type Tried } from "../factories/queued-messages";
import type { BuiltWorker } from "../support/built-process";
import { endsOf } from "../support/outage-ends";
import { type FaultyLine, type Hold, startFaultyLine } from "../support/peers/faulty-line";
import { lineOf, type LineName, openOutagesPortal, type OutagesPortal } from "../support/portals/outages-portal";
import { forEachDatabase } from "../support/test-portal";
import { mountSmallDisk, type SmallDisk } from "../support/small-disk";
import { lockSqlite } from "../support/write-lock";

/*
 * A built worker in the middle of a sending by every channel: it is killed or loses its database while a provider waits
 * for it, or it for the provider.
 */

const SENDING: readonly LineName[] = ["email", "sms", "letters", "edi", "archive"];
const IS_WHOLE = Boolean(process.env.FUZZ_RUNS);
const LONG = 1_800_000;
const HELD_WITHIN_MS = 120_000;
const DISK_MB = 128;
/** The request follows the TLS greeting. */
const REQUEST_TURN = 2;
/** An image follows the association and the query. */
const IMAGE_TURN = 3;

/** Where connections are held, and which messages may have been delivered by then. */
interface Step {
  hold(name: LineName): Hold;
  mayHaveLeft(name: LineName): boolean;
}

forEachDatabase("a worker at work", (dialect) => {
  let outages: OutagesPortal;
  let ends: ReturnType<typeof endsOf>;
  let web: Awaited<ReturnType<OutagesPortal["startWeb"]>>;
  let worker: BuiltWorker;
  let databaseLine: FaultyLine;
  let disk: SmallDisk | null = null;
  /** Number of turns that each client takes in a complete sending. */
  let turns: Record<LineName, number>;

  beforeAll(async () => {
    if (dialect === "sqlite") disk = mountSmallDisk(DISK_MB);
    const viaDatabase = async (url: string) => {
      const there = new URL(url);
      databaseLine = await startFaultyLine(Number(there.port));
      there.port = String(databaseLine.port);
      return there.href;
    };
    outages = await openOutagesPortal(dialect, { viaDatabase, ...(disk && { dataIn: disk.folder }) });
    ends = endsOf(outages);
    web = await outages.startWeb();
    worker = outages.startWorker();
    // Run once with the jobs that start with a worker and use the same connections.
    await ends.ended(await queueOneEach());
    SENDING.forEach((name) => outages.lines[name].forget());
    SENDING.forEach((name) => outages.lines[name].hangUp());
    await ends.ended(await queueOneEach());
    turns = Object.fromEntries(SENDING.map((name) => [name, outages.lines[name].longest.turns])) as typeof turns;
  });
  afterAll(async () => {
    await worker?.stop();
    await web?.stop();
    await outages?.close();
    await databaseLine?.close();
    disk?.remove();
  });

  async function queueOneEach() {
    const queued: Queued[] = [];
    for (const channel of CHANNELS) queued.push(await outages.queue(channel));
    return queued;
  }

  /**
   * Queues a message by each channel; resolves when every connection is held. SFTP takes a varying number of turns, so a
   * letter may be through before its turn comes.
   */
  async function holdAll({ hold }: Step) {
    const reached = new Set<LineName>();
    for (const name of SENDING) void outages.lines[name].holdAt(hold(name)).then(() => reached.add(name));
    const queued = await queueOneEach();
    const awaited = async () => {
      const waiting = (await ends.rowsOf(queued)).filter(({ outcome }) => outcome === "queued");
      const lines = new Set(waiting.map(({ channel }) => lineOf(channel as Tried)));
      return [...lines].filter((name) => !reached.has(name));
    };
    await expect.poll(awaited, { timeout: HELD_WITHIN_MS, interval: 250 }).toEqual([]);
    return queued;
  }
  const letGo = () => SENDING.forEach((name) => outages.lines[name].letGo());
  const hangUp = () => SENDING.forEach((name) => outages.lines[name].hangUp());

  /** Messages with a wrong end, and channels whose outcome a person is asked about. */
  async function endsAfter(queued: Queued[], { mayHaveLeft }: Step) {
    await ends.ended(queued);
    const found = await ends.of(queued, web.origin);
    const asked = found.filter(({ end, channel }) => end === "asked about" && mayHaveLeft(lineOf(channel)));
    const wrong = found.filter((each) => each.end !== "arrived" && !asked.includes(each));
    return { wrong, asked: asked.map(({ channel }) => channel) };
  }

  /** A mail server gets the mail in the last turn but one; the last turn says goodbye. */
  const handingOver = (name: LineName) => {
    if (name === "archive") return IMAGE_TURN;
    return name === "email" ? turns.email - 1 : REQUEST_TURN;
  };
  /** Whether a message under way is never repeated automatically. */
  const cannotBeRepeated = (name: LineName) => name === "email" || name === "sms";
  /** Each provider has received the message, and its answer is held. */
  function handedOver(): Step {
    const files = { letters: outages.filesAt("letters"), edi: outages.filesAt("edi") };
    return {
      hold: (name) => ({
        before: "answer",
        isIt: (spoken) =>
          name === "letters" || name === "edi" ? outages.filesAt(name) > files[name] : spoken === handingOver(name),
      }),
      mayHaveLeft: cannotBeRepeated,
    };
  }
  /** The n-th turn of each connection, modulo the length of its conversation. */
  const turn = (n: number, before: Hold["before"]) => (): Step => {
    const of = (name: LineName) => (n % turns[name]) + 1;
    return {
      hold: (name) => ({ before, isIt: (spoken) => spoken === of(name) }),
      mayHaveLeft: (name) => cannotBeRepeated(name) && of(name) >= handingOver(name),
    };
  };
  const everyTurn = (many: number) =>
    IS_WHOLE ? Array.from({ length: many }, (_, n) => [turn(n, "request"), turn(n, "answer")]).flat() : [];

  test(
    "kill -9 between two steps of a sending: once, or asked about once",
    async () => {
      for (const begin of [handedOver, ...everyTurn(Math.max(...Object.values(turns)))]) {
        const step = begin();
        const queued = await holdAll(step);
        await worker.kill();
        hangUp();
        letGo();
        worker = outages.startWorker();
        // Nobody else may claim a killed worker's messages before its lease expires.
        outages.advance({ minutes: 5 });
        const { wrong, asked } = await endsAfter(queued, step);
        expect(wrong).toEqual([]);
        if (begin === handedOver) expect(asked).toEqual(["email", "sms"]);
      }
    },
    LONG,
  );

  /** Takes the database away for at least so many milliseconds; returns the function that brings it back. */
  const losses: readonly (readonly [string, number, () => (() => unknown) | Promise<() => unknown>])[] =
    dialect === "sqlite"
      ? // Longer than a statement waits for the lock.
        [
          ["is locked by another", 6_500, () => lockSqlite(outages.portal)],
          ["has no room left", 2_000, () => disk!.fill(outages.portal.config.dataDir)],
        ]
      : [
          ["is gone", 2_000, () => databaseLine.is({ kind: "refused" }).then(() => () => databaseLine.is(null))],
          ["hangs", 2_000, () => databaseLine.is({ kind: "frozen" }).then(() => () => databaseLine.is(null))],
        ];

  test.for(IS_WHOLE ? losses : [])(
    "its database %s within a sending: once, or asked about once",
    { timeout: LONG },
    async ([what, ms, lose], { skip }) => {
      if (what === "has no room left" && disk === null) skip("no disk can be mounted here");
      for (const begin of [handedOver, ...everyTurn(Math.max(turns.email, turns.archive))]) {
        const step = begin();
        const queued = await holdAll(step);
        const comesBack = await lose();
        letGo();
        await sleep(ms);
        await comesBack();
        await Promise.race([ends.quiet(), sleep(5_000)]);
        // The leases of outcomes that could not be recorded expire.
        outages.advance({ minutes: 5 });
        expect((await endsAfter(queued, step)).wrong).toEqual([]);
      }
    },
  );

  test(
    "its clock is set back within a sending: once, and jobs go on",
    async () => {
      const step = handedOver();
      const queued = await holdAll(step);
      outages.advance({ minutes: -60 });
      letGo();
      const after = await queueOneEach();
      expect(await endsAfter([...queued, ...after], step)).toEqual({ wrong: [], asked: [] });
      const hasRun = async () => {
        const run = outages.portal.db.selectFrom("jobRun").select("finishedAt").where("name", "=", "readBounces");
        const { finishedAt: at } = await run.executeTakeFirstOrThrow();
        return at !== null && Math.abs(new Date(at).getTime() - outages.now().getTime()) < 60_000;
      };
      await expect.poll(hasRun).toBe(true);
    },
    LONG,
  );
});
