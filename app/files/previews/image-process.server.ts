import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { FairQueue } from "./fair-queue";

/** Why there is no answer: the process hung, died (or used too much memory), has too much to do for this person, or is being closed. */
export type Lost = "timeout" | "crashed" | "busy" | "closed";

export interface ImageProcess<Job, Answer> {
  /** Never throws. @param askedBy whose turn it takes; @param withJob is handed a function that lets another person wait for the same work */
  ask(
    job: Job,
    requestedBy: string,
    withJob?: (join: (requestedBy: string) => void) => void,
  ): Promise<Answer | { lost: Lost }>;
  close(): Promise<void>;
}

export interface ImageProcessOptions {
  /** The built program: build/preview-worker.js. It answers one message with one message. */
  modulePath: string;
  /** Milliseconds for one job; then the process is killed and the next job starts a new one. */
  timeoutMs: number;
  /** Milliseconds without work before the process is ended to give its memory back. */
  idleMs: number;
  maxWaitingEach: number;
  maxRssBytes: number;
}

const MAX_HEAP_MEGABYTES = 512;

interface Waiting<Job, Answer> {
  job: Job;
  isStarted: boolean;
  settle(answer: Answer | { lost: Lost }): void;
}

/**
 * Runs what reads hostile files in a process of its own, one job at a time: a file that hangs, crashes or fills the memory costs its own
 * answer and nothing else. The process watches its own memory (preview-worker.ts) and has none of the portal's secrets.
 */
export function createImageProcess<Job extends object, Answer>(
  options: ImageProcessOptions,
): ImageProcess<Job, Answer> {
  const queue = new FairQueue<Waiting<Job, Answer>>(options.maxWaitingEach, ({ isStarted }) => isStarted);
  let child: ChildProcess | undefined;
  let current: (Waiting<Job, Answer> & { timer: NodeJS.Timeout }) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): ChildProcess {
    const { SystemRoot } = process.env;
    const started = fork(options.modulePath, [String(options.maxRssBytes)], {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`],
      // None of the portal's secrets; Windows alone starts no process without this one.
      env: { NODE_ENV: process.env.NODE_ENV, ...(SystemRoot === undefined ? {} : { SystemRoot }) },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", (answer) => {
      if (child === started) finish(answer as Answer);
    });
    started.on("error", () => lose(started, "crashed"));
    started.on("exit", () => lose(started, "crashed"));
    return started;
  }

  function lose(lost: ChildProcess | undefined, reason: Lost): void {
    if (child !== lost) return;
    child = undefined;
    lost?.kill("SIGKILL");
    finish({ lost: reason });
  }

  function finish(answer: Answer | { lost: Lost }): void {
    if (current === undefined) return;
    clearTimeout(current.timer);
    const { settle } = current;
    current = undefined;
    settle(answer);
    next();
  }

  function next(): void {
    if (current !== undefined) return;
    const waiting = queue.take();
    if (waiting === undefined) {
      rest();
      return;
    }
    clearTimeout(idleTimer);
    waiting.isStarted = true;
    child ??= start();
    child.ref();
    child.channel?.ref();
    const working = child;
    current = { ...waiting, timer: setTimeout(() => lose(working, "timeout"), options.timeoutMs) };
    working.send(waiting.job, (error) => {
      if (error) lose(working, "crashed");
    });
  }

  /** Idle: the process must neither keep the portal alive nor hold its memory for ever. */
  function rest(): void {
    child?.unref();
    child?.channel?.unref();
    clearTimeout(idleTimer);
    idleTimer = setTimeout(() => {
      const idle = child;
      child = undefined;
      idle?.kill("SIGKILL");
    }, options.idleMs);
    idleTimer.unref();
  }

  return {
    ask(job, requestedBy, withJob) {
      if (isClosed) return Promise.resolve({ lost: "closed" });
      return new Promise((settle) => {
        const waiting = { job, settle, isStarted: false };
        if (!queue.add(requestedBy, waiting)) {
          settle({ lost: "busy" });
          return;
        }
        withJob?.((another) => void queue.add(another, waiting));
        next();
      });
    },

    async close() {
      isClosed = true;
      for (const { settle } of queue.takeAll()) settle({ lost: "closed" });
      const ending = child;
      child = undefined;
      if (current !== undefined) finish({ lost: "closed" });
      clearTimeout(idleTimer);
      if (ending === undefined || ending.exitCode !== null || ending.signalCode !== null || ending.pid === undefined)
        return;
      const ended = once(ending, "exit");
      ending.kill("SIGKILL");
      await ended;
    },
  };
}
