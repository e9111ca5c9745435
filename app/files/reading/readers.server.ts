import type { ReaderJob } from "./reader-job";
import { createReaderProcess, type Lost } from "./reader-process.server";

export interface Readers {
  /** Never throws: `lost` says why there is no answer. @param requestedBy whose turn it takes; @param withJob as in `ReaderProcess` */
  ask<Input extends object, Answer extends object>(
    job: ReaderJob<Input, Answer>,
    input: Input,
    requestedBy: string,
    withJob?: (join: (requestedBy: string) => void) => void,
  ): Promise<Answer | { lost: Lost }>;
  /** The same; null where the process hung or died over the file. Throws when the portal is closing, or has too much to do. */
  read<Input extends object, Answer extends object>(
    job: ReaderJob<Input, Answer>,
    input: Input,
    requestedBy: string,
  ): Promise<Answer | null>;
  /** Ends the processes; what waits is `closed`. */
  close(): Promise<void>;
}

export interface ReaderOptions {
  /** The built program: build/reader-program.js. */
  programPath: string;
  /** Of every job, in milliseconds, instead of its own. */
  timeoutMs?: number;
  /** Pieces that may wait for one person's turn; more are `busy`. */
  maxWaitingEach?: number;
  idleMs?: number;
  /** Memory that a process may hold, wherever it lies. */
  maxRssBytes?: number;
}

/** What was lost because of the file, not of the moment. */
export const isOfTheFile = (lost: Lost): lost is "timeout" | "crashed" => lost === "timeout" || lost === "crashed";

/** Two processes that read what strangers may have made: one for forms that somebody waits for, one for all else (decision 61). */
export function createReaders(options: ReaderOptions): Readers {
  const { programPath: modulePath, timeoutMs, maxWaitingEach = 200, idleMs = 60_000, maxRssBytes = 1.2e9 } = options;
  const processes = {
    forms: createReaderProcess({ modulePath, idleMs, maxWaitingEach: Infinity, maxRssBytes }),
    turns: createReaderProcess({ modulePath, idleMs, maxWaitingEach, maxRssBytes }),
  };

  const ask: Readers["ask"] = (job, input, requestedBy, withJob) =>
    processes[job.process].ask(
      { ...input, kind: job.kind },
      timeoutMs ?? job.timeoutMs,
      requestedBy,
      withJob,
    ) as Promise<never>;

  return {
    ask,
    async read(job, input, requestedBy) {
      const answer = await ask(job, input, requestedBy);
      if (!("lost" in answer)) return answer;
      if (isOfTheFile(answer.lost)) return null;
      throw new Error(`${job.kind} not read: ${answer.lost}`);
    },
    async close() {
      await Promise.all([processes.forms.close(), processes.turns.close()]);
    },
  };
}
