// @module-tag matrix
// @module-tag orthanc
// @module-tag openssh
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { CHANNELS, type Queued, type Tried } from "../factories/queued-messages";
import { endsOf } from "../support/outage-ends";
import { type Fault, faults, mend } from "../support/outage-faults";
import {
  type Command,
  lineOf,
  type LineName,
  openOutagesPortal,
  type OutagesPortal,
} from "../support/portals/outages-portal";
import type { Dialect } from "../support/test-portal";

/*
 * The built portal with every fault on every connection: messages certainly not handed over wait and arrive once;
 * doubtful ones are asked about once. In each round every connection has a different fault.
 */

const IS_WHOLE = Boolean(process.env.FUZZ_RUNS);
const quick: [Command, Dialect][] = [
  ["serve", "sqlite"],
  ["worker", "mariadb"],
];
const rest: [Command, Dialect][] = [
  ["worker", "sqlite"],
  ["serve", "mariadb"],
];

/** More than a lane sends at once, so that some wait. */
const MESSAGES: Record<Tried, number> = { email: 4, sms: 6, eboks: 2, print: 2, edi: 2, archive: IS_WHOLE ? 2 : 1 };
const ONE_EACH: typeof MESSAGES = { email: 1, sms: 1, eboks: 1, print: 1, edi: 1, archive: 1 };
/** Connections that deliver messages; the register is asked before. */
const SENDING: readonly LineName[] = ["email", "sms", "letters", "edi", "archive"];
const REGISTER: readonly LineName[] = ["register"];
const ASKED_ABOUT: readonly Tried[] = ["eboks", "print"];
const LONG = 900_000;
/** Shorter than the day after which a message fails whose check cannot be made. */
const HOURS_AWAY = { sending: 24, register: 21 };

interface Row {
  line: LineName;
  name: string;
  fault: Fault;
}

const rowsOfRound = (lines: readonly LineName[], n: number): Row[] =>
  lines.flatMap((line) => {
    const found = Object.entries(faults[line])[n];
    return found === undefined ? [] : [{ line, name: found[0], fault: found[1] }];
  });
const roundsOf = (lines: readonly LineName[]) => {
  const count = Math.max(...lines.map((line) => Object.keys(faults[line]).length));
  return Array.from({ length: count }, (_, n) => rowsOfRound(lines, n));
};

describe.each(IS_WHOLE ? [...quick, ...rest] : quick)("%s on %s", (command, dialect) => {
  const isFirst = command === "serve";
  let outages: OutagesPortal;
  let ends: ReturnType<typeof endsOf>;
  let running: Awaited<ReturnType<OutagesPortal["start"]>> | null = null;
  const sent: Queued[] = [];

  beforeAll(async () => {
    outages = await openOutagesPortal(dialect);
    ends = endsOf(outages);
  });
  afterAll(async () => {
    await running?.stop();
    await outages?.close();
  });

  async function queueAll(channels: readonly Tried[] = CHANNELS, counts: Record<Tried, number> = MESSAGES) {
    const queued: Queued[] = [];
    for (const channel of channels)
      for (let n = 0; n < counts[channel]; n += 1) queued.push(await outages.queue(channel));
    sent.push(...queued);
    return queued;
  }
  const start = async (unknown?: readonly LineName[]) => {
    await running?.stop();
    running = await outages.start(command, unknown);
  };
  const expectArrived = async (queued: Queued[]) =>
    expect(await ends.of(queued, running!.origin)).toEqual(queued.map(({ channel }) => ({ channel, end: "arrived" })));

  const nameless = [
    ["every provider", SENDING],
    ["the register", REGISTER],
  ] as const;
  test.each(IS_WHOLE ? nameless : nameless.slice(isFirst ? 1 : 0, isFirst ? 2 : 1))(
    "%s has an unknown name: messages wait, and arrive once where it is known",
    async (_who, lines) => {
      const queued = await queueAll(lines === REGISTER ? ASKED_ABOUT : CHANNELS, ONE_EACH);
      await start(lines);
      await ends.tried(queued);
      expect(await ends.feltBy(queued)).toEqual(new Set(queued.map(({ channel }) => channel)));
      await start();
      await ends.ended(queued);
      await expectArrived(queued);
    },
    LONG,
  );

  /** All connections of a round are faulty together. */
  async function play(rows: Row[]) {
    if (running === null) await start();
    for (const { fault } of rows) await fault.begin(outages);
    const queued = await queueAll(rows.some(({ line }) => line === "register") ? ASKED_ABOUT : CHANNELS);
    await ends.tried(queued);
    const felt = await ends.feltBy(queued);
    await mend(outages);
    await ends.ended(queued);
    return { felt, found: await ends.of(queued, running!.origin) };
  }
  const rounds = IS_WHOLE ? [...roundsOf(SENDING), ...roundsOf(REGISTER)] : [rowsOfRound(SENDING, isFirst ? 0 : 1)];
  const played = new Map<Row[], ReturnType<typeof play>>();
  const once = (rows: Row[]) => {
    if (!played.has(rows)) played.set(rows, play(rows));
    return played.get(rows)!;
  };
  const cases = rounds.flatMap((rows) =>
    rows.map(({ line, name, fault }) => [line, name, fault.end, { line, fault, rows }] as const),
  );
  test.each(cases)(
    "%s: its line %s: %s",
    async (_line, _name, _end, { line, fault: { end, isHarmless }, rows }) => {
      const { felt, found } = await once(rows);
      const isOwn = (channel: Tried) => line === "register" || lineOf(channel) === line;
      const own = found.filter(({ channel }) => isOwn(channel));
      const allowed = end === "waits" ? ["arrived"] : ["arrived", "asked about"];
      expect(own.filter((each) => !allowed.includes(each.end))).toEqual([]);
      if (!isHarmless) expect([...felt].filter(isOwn)).toEqual([...new Set(own.map(({ channel }) => channel))]);
      if (end === "in doubt") expect(own.map((each) => each.end)).toContain("asked about");
    },
    LONG,
  );

  test.each(IS_WHOLE ? nameless : [])(
    "%s is away for a day: messages wait, and arrive once",
    async (_who, lines) => {
      for (const line of lines) await outages.lines[line].is({ kind: "refused" });
      const isRegister = lines === REGISTER;
      const queued = await queueAll(isRegister ? ASKED_ABOUT : CHANNELS);
      for (let hours = 0; hours < (isRegister ? HOURS_AWAY.register : HOURS_AWAY.sending); hours += 3) {
        await ends.tried(queued);
        outages.advance({ minutes: 180 });
        await ends.looked();
      }
      expect((await ends.rowsOf(queued)).map(({ outcome }) => outcome)).toEqual(queued.map(() => "queued"));
      await mend(outages);
      await ends.ended(queued);
      await expectArrived(queued);
    },
    LONG,
  );

  test("a day later nothing of all this is lost, and nothing has arrived twice", async () => {
    outages.advance({ minutes: 24 * 60 });
    await ends.looked();
    await ends.quiet();
    const arrived = await Promise.all(sent.map((message) => outages.arrived(message)));
    const rows = await ends.rowsOf(sent);
    const asked = rows.filter(({ outcome }) => outcome === "unknown");
    const lost = rows.filter(({ outcome }) => outcome === "failed" || outcome === "withdrawn");
    expect([rows.length, lost, arrived.filter((times) => times > 1)]).toEqual([sent.length, [], []]);
    if (IS_WHOLE)
      process.stdout.write(`${command} on ${dialect}: ${sent.length} messages, ${asked.length} asked about\n`);
  });
});
