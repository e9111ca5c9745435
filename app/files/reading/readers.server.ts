import type { ReaderJob } from "./reader-job";
import { createReaderProcess, type Lost } from "./reader-process.server";

export interface Readers {
  /**
   * Never throws: `lost` is the reason without an answer. @param requestedBy whose turn it takes; @param withJob as in
   * `ReaderProcess`
   */
  ask<Input extends object, Answer extends object>(
    job: ReaderJob<Input, Answer>,
    input: Input,
    requestedBy: string,
    withJob?: (join: (requestedBy: string) => void) => void,
  ): Promise<Answer | { lost: Lost }>;
  /** Like `ask`, but null if the process hung or died. Throws when the portal is closing or overloaded. */
  read<Input extends object, Answer extends object>(
    job: ReaderJob<Input, Answer>,
    input: Input,
    requestedBy: string,
  ): Promise<Answer | null>;
  close(): Promise<void>;
}

export interface ReaderOptions {
  programPath: string;
  timeoutMs?: number;
  maxWaitingEach?: number;
  idleMs?: number;
  /** Memory that a process may hold, wherever it lies; it is looked at a hundred times a second, and may grow by some 10 MB between. */
  maxRssBytes?: number;
}

/** Losses caused by the file, not by the moment. */
export const isOfTheFile = (lost: Lost): lost is "timeout" | "crashed" => lost === "timeout" || lost === "crashed";

/** Two reader processes: one for forms that somebody waits for, one for everything else (docs/decisions/0061). */
export function createReaders(options: ReaderOptions): Readers {
  const { programPath: modulePath, timeoutMs, maxWaitingEach = 200, idleMs = 60_000, maxRssBytes = 520e6 } = options;
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
