// @module-tag matrix
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRandom } from "~/demo/content/seeded-random.server";
import { addressOf, places } from "../e2e/typed-text-pages";
import { findForms } from "../support/page-forms";
import { pageAddresses } from "../support/random-requests";
import type { Hostile } from "../support/sizes/hostile";
import { hostileAddresses, hostileHeaders } from "../support/sizes/hostile-addresses";
import { hostileCalls } from "../support/sizes/hostile-calls";
import { hostileForms } from "../support/sizes/hostile-forms";
import { hostileImports } from "../support/sizes/hostile-imports";
import { hostileLists } from "../support/sizes/hostile-lists";
import { hostileUploads } from "../support/sizes/hostile-uploads";
import { type Measured, measure, startReader } from "../support/sizes/measure-beside";
import { type Answer, type SizesPortal, startSizesPortal } from "../support/sizes/sizes-portal";

/**
 * `npm run soak -- --fuzz 10000` sends everything at full size and measures how others wait; `npm run test:matrix` sends one of each kind, with
 * files at a fiftieth. Growth is what the processes keep once their garbage is collected. `SIZES_OF` measures only what
 * has one of these words in its name, such as `list:|ZIP`, the pair `one + other`, or `pair`s.
 */
const isWhole = Number(process.env.FUZZ_RUNS ?? 0) > 2000;
const only = process.env.SIZES_OF?.split("|");
const part = isWhole ? 1 : 0.02;
const seed = Number(process.env.FUZZ_SEED ?? (isWhole ? Date.now() % 1_000_000 : 20_261_127));
const random = createRandom(seed);

const MAX_LONGER_MS = 100;
const MAX_GROWTH_MB = 60;
const MAX_CHILD_MB = 512;
const ROUNDS = 5;
const PAIRS = isWhole ? 20 : 3;
/** Requests that take longer twice, and block the process this long, are measured. */
const SUSPECT_MS = 100;
const SUSPECT_TURN_MS = 40;

let portal: SizesPortal;
/** Thousands of quick requests: forms, addresses and calls. */
let requests: Hostile[];
let large: Hostile[];
let quietPages: string[];

beforeAll(async () => {
  portal = await startSizesPortal(isWhole ? 1000 : 20);
  const [filled, used, quiet] = portal.sentBy("tandlaege");
  await portal.addFirst(filled!);
  const addresses = [
    ...places.map(({ address }) => addressOf(address, { sent: used!, draft: 1, message: 1, treatment: 1 })),
    ...pageAddresses().map((each) => each.replaceAll("{id}", String(used))),
  ];
  const people = ["admin", "sekretaer", "tandlaege"];
  const forms = await findForms({
    origin: portal.origin,
    cookies: new Map(people.map((who) => [who, portal.cookies[who]!])),
    addresses: [...new Set(addresses)],
  });
  requests = [
    ...hostileForms(portal, forms),
    ...hostileHeaders(portal, "/management/overview"),
    ...hostileAddresses(portal, ["/login", "/management/overview", `/management/overview/${used}`, "/book-parking"]),
    ...hostileCalls(portal, used!),
  ];
  large = [
    ...hostileLists(portal, filled!, isWhole ? 1000 : 20),
    ...hostileUploads(portal, used!, part),
    ...(await hostileImports(portal, part)),
  ];
  quietPages = ["/management/overview", `/management/overview/${quiet}`, "/book-parking", "/healthz"];
});

afterAll(() => portal?.stop());

const isReadable = ({ status, text }: Answer) =>
  status < 400 || text === "" || text.includes('<html lang="da"') || text.startsWith('{"message":');

/** The fault of an answer, or null. */
async function faultOf(hostile: Hostile): Promise<string | null> {
  const answer = await hostile.send().catch((error: unknown) => ({ status: 599, location: "", text: String(error) }));
  if (answer.status < 500 && isReadable(answer)) return null;
  return `${hostile.name}: ${answer.status} ${answer.text.slice(0, 300)}\n${portal.output().slice(-1000)}`;
}

/** One of each kind, in order. */
function oneOfEach(all: readonly Hostile[]): Hostile[] {
  const kinds = new Map<string, Hostile[]>();
  for (const each of all) kinds.set(each.kind, [...(kinds.get(each.kind) ?? []), each]);
  return [...kinds.values()].map((ofKind) => random.pick(ofKind));
}

const pairOf = (one: Hostile, other: Hostile): Hostile => ({
  kind: "pair",
  name: `${one.name} + ${other.name}`,
  async send() {
    const answers = await Promise.all([one.send(), other.send()]);
    return answers.toSorted((a, b) => b.status - a.status)[0]!;
  },
});

const pairs = (): Hostile[] => {
  const all = [...oneOfEach(requests), ...large];
  return Array.from({ length: PAIRS }, () => pairOf(random.pick(all), random.pick(all)));
};

const partOf = (words: string[]): Hostile[] => {
  const all = [...requests, ...large];
  const named = words.flatMap((word) => {
    const [one, other] = word.split(" + ").map((name) => all.filter((each) => each.name.includes(name)));
    return other === undefined ? one! : [pairOf(one![0]!, other[0]!)];
  });
  return [...named, ...(words.includes("pair") ? pairs() : [])];
};

describe(`sizes (FUZZ_SEED=${seed})`, () => {
  test.skipIf(only)(
    "one of each kind, and pairs, are answered, and both processes live",
    async () => {
      const faults: string[] = [];
      for (const hostile of [...oneOfEach(requests), ...large, ...pairs()]) {
        const fault = await faultOf(hostile);
        if (fault !== null) faults.push(fault);
      }
      expect(faults.join("\n\n")).toBe("");
      expect(portal.isAlive()).toBe(true);
    },
    1_200_000,
  );

  test.runIf(isWhole)(
    "whatever is sent, in whatever size, nobody else waits for it",
    async () => {
      const reader = startReader(portal, quietPages, "kirurg");
      const suspects: Hostile[] = [];
      for (const hostile of only ? [] : requests) if (await isSlow(hostile)) suspects.push(hostile);
      console.log(
        `${requests.length} requests, of which ${suspects.length} take more than ${SUSPECT_MS} ms, ${SUSPECT_TURN_MS} of them in one turn`,
      );
      const before = await portal.keptMemory();
      const measured: Measured[] = [];
      const chosen = only ? partOf(only) : [...suspects, ...large, ...pairs()];
      expect(chosen).not.toEqual([]);
      for (const hostile of chosen) {
        const first = await measure(portal, reader, hostile, ROUNDS);
        // Noise slows one measurement, not two.
        measured.push(first.longer > MAX_LONGER_MS ? await measure(portal, reader, hostile, ROUNDS) : first);
        console.log(line(measured.at(-1)!));
        if (!portal.isAlive()) break;
      }
      reader.stop();
      const after = await portal.keptMemory();
      const growth = { serve: after.serve - before.serve, worker: after.worker - before.worker };
      console.log(
        `growth without garbage: serve ${mb(growth.serve)} to ${Math.round(after.serve)}, worker ${mb(growth.worker)} to ${Math.round(after.worker)} MB`,
      );
      expect(portal.isAlive()).toBe(true);
      expect(measured.filter(({ longer }) => longer > MAX_LONGER_MS).map(line)).toEqual([]);
      expect(measured.filter(({ child }) => child > MAX_CHILD_MB).map(line)).toEqual([]);
      expect(measured.filter(({ failed }) => failed.length > 0).map(({ name, failed }) => [name, failed[0]])).toEqual(
        [],
      );
      // A part alone starts with a cold process, which takes its usual memory first.
      if (only) return;
      expect(growth.serve).toBeLessThan(MAX_GROWTH_MB);
      expect(growth.worker).toBeLessThan(MAX_GROWTH_MB);
    },
    7_200_000,
  );
});

async function isSlow({ send }: Hostile): Promise<boolean> {
  for (let time = 0; time < 2; time += 1) {
    const began = performance.now();
    await send();
    if (performance.now() - began < SUSPECT_MS) return false;
  }
  await portal.longestTurn();
  await send();
  return (await portal.longestTurn()) > SUSPECT_TURN_MS;
}

const line = ({ name, statuses, longer, each, p50, turn, serve, worker, child }: Measured) =>
  `${name}: ${statuses}; others' p99 ${ms(longer)} longer [${each.map(ms).join(" ")}], p50 ${ms(p50)}; longest turn ${turn} ms; serve ${mb(serve)}, worker ${mb(worker)}, child ${Math.round(child)} MB`;
const ms = (value: number) => `${Math.round(value)}`;
const mb = (value: number) => `${value < 0 ? "" : "+"}${Math.round(value)} MB`;
