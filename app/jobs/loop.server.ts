import type { Logger } from "pino";

/** Next step: at once, after the pause, or after these milliseconds. */
export type Pace = "again" | "idle" | { pauseMs: number };

export interface Loop {
  stop(): Promise<void>;
}

/** Repeats a step until stopped. Errors are logged and delay the next step. */
export function startLoop(
  name: string,
  { log, idleMs }: { log: Logger; idleMs: number },
  step: () => Promise<Pace>,
): Loop {
  let stopping = false;
  let wake: () => void = () => undefined;
  let failures = 0;
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms);
      wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  const run = async () => {
    while (!stopping) {
      let pace: Pace = "idle";
      try {
        pace = await step();
        failures = 0;
      } catch (error) {
        log.error({ err: error, loop: name }, "step failed");
        pace = { pauseMs: backOffMs(++failures) };
      }
      if (pace !== "again" && !stopping) await pause(pace === "idle" ? idleMs : pace.pauseMs);
    }
  };
  const done = run();
  return {
    async stop() {
      stopping = true;
      wake();
      await done;
    },
  };
}

export const MAX_BACK_OFF_MS = 60_000;

/** 1, 2, 4 … seconds, at most a minute. */
export const backOffMs = (failures: number) => Math.min(MAX_BACK_OFF_MS, 1000 * 2 ** Math.min(failures - 1, 10));
