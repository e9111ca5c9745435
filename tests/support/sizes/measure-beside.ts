import { type ChildProcess, fork } from "node:child_process";
import { childrenOf, forgetHighest, memoryOf, type SizesPortal } from "./sizes-portal";

export interface Waits {
  times: number[];
  failed: string[];
}

const IDLE_MS = 1500;

export const percentile = (times: readonly number[], part: number): number =>
  times.toSorted((one, other) => one - other)[Math.min(times.length - 1, Math.floor(times.length * part))]!;

export const median = (values: readonly number[]): number => percentile(values, 0.5);

/** Another person reading quiet pages in a separate process. */
export function startReader(portal: SizesPortal, pages: readonly string[], as: string) {
  const child: ChildProcess = fork("scripts/ask-beside.mjs");
  const asked = {
    pages: pages.map((page) => ({
      url: portal.origin + page,
      headers: { cookie: portal.cookies[as], accept: "text/html" },
    })),
  };
  return {
    /** Response times during `work`. */
    async during(work: () => Promise<unknown>): Promise<Waits> {
      const answer = new Promise<Waits>((resolve) => child.once("message", (message) => resolve(message as Waits)));
      child.send(asked);
      try {
        await work();
      } finally {
        child.send("stop");
      }
      return answer;
    },
    stop: () => child.kill(),
  };
}

export interface Measured {
  name: string;
  statuses: string;
  p50: number;
  /** Milliseconds by which others' 99th percentile exceeds the idle portal's; median of the rounds. */
  longer: number;
  each: number[];
  failed: string[];
  serve: number;
  worker: number;
  child: number;
  /** Longest CPU time of the web process without yielding, in milliseconds. */
  turn: number;
}

/** Measures idle and loaded in turn, so that noise affects both. */
export async function measure(
  portal: SizesPortal,
  reader: ReturnType<typeof startReader>,
  { name, send }: { name: string; send(): Promise<{ status: number }> },
  rounds: number,
): Promise<Measured> {
  const { serve, worker } = portal.pids;
  const before = { serve: memoryOf(serve, "VmRSS"), worker: memoryOf(worker, "VmRSS") };
  const longer: number[] = [];
  const p50: number[] = [];
  const statuses = new Set<number>();
  const failed: string[] = [];
  let child = 0;
  await portal.longestTurn();
  for (let round = 0; round < rounds; round += 1) {
    const idle = await reader.during(() => new Promise((resolve) => setTimeout(resolve, IDLE_MS)));
    const children = () => childrenOf([serve, worker]);
    forgetHighest(children());
    const watch = setInterval(() => {
      for (const pid of children()) child = Math.max(child, memoryOf(pid, "VmHWM"));
    }, 50);
    const begun = performance.now();
    const loaded = await reader.during(async () => {
      do statuses.add((await send()).status);
      while (performance.now() - begun < IDLE_MS);
    });
    clearInterval(watch);
    failed.push(...idle.failed, ...loaded.failed);
    longer.push(percentile(loaded.times, 0.99) - percentile(idle.times, 0.99));
    p50.push(percentile(loaded.times, 0.5) - percentile(idle.times, 0.5));
  }
  return {
    name,
    statuses: [...statuses].join(" "),
    p50: median(p50),
    longer: median(longer),
    each: longer,
    failed,
    serve: memoryOf(serve, "VmRSS") - before.serve,
    worker: memoryOf(worker, "VmRSS") - before.worker,
    child,
    turn: await portal.longestTurn(),
  };
}
