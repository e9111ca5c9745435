import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { FairQueue } from "./fair-queue";

/** No answer: the process hung, crashed (or ran out of memory), has too many jobs of this person, or is closing. */
export type Lost = "timeout" | "crashed" | "busy" | "closed";

export type Answer = object | { lost: Lost };

export interface ReaderProcess {
  /**
   * Never throws. @param job data, sent as JSON; @param requestedBy whose turn it takes; @param withJob is handed a function that lets
   * another person wait for the same work
   */
  ask(
    job: object,
    timeoutMs: number,
    requestedBy: string,
    withJob?: (join: (requestedBy: string) => void) => void,
  ): Promise<Answer>;
  close(): Promise<void>;
}

export interface ReaderProcessOptions {
  /**
   * Path of build/reader-program.js. It answers a message with one message, or with several that hold `more` rows and a
   * last one.
   */
  modulePath: string;
  /** Milliseconds without work before the process is ended to free its memory. */
  idleMs: number;
  maxWaitingEach: number;
  maxRssBytes: number;
}

const MAX_HEAP_MEGABYTES = 400;
/** Rows of one answer: five times the longest file. */
const MAX_ROWS = 100_000;

interface Waiting {
  job: object;
  timeoutMs: number;
  isStarted: boolean;
  settle(answer: Answer): void;
}

type Message = { more: unknown[] } | (object & { rows?: unknown[] });

/** A process that a hostile file has taken over may send anything. */
function isMessage(message: unknown): message is Message {
  if (typeof message !== "object" || message === null) return false;
  const parts = message as { more?: unknown; rows?: unknown };
  return [parts.more, parts.rows].every((rows) => rows === undefined || Array.isArray(rows));
}

/**
 * Runs readers of hostile files in a child process, one job at a time: a file that hangs, crashes or fills the memory
 * costs only its own answer. The process limits its own memory (reader-program.server.ts) and has no secrets.
 */
export function createReaderProcess(options: ReaderProcessOptions): ReaderProcess {
  const queue = new FairQueue<Waiting>(options.maxWaitingEach, ({ isStarted }) => isStarted);
  let child: ChildProcess | undefined;
  let current: (Waiting & { timer: NodeJS.Timeout; rows: unknown[] }) | undefined;
  let idleTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(): ChildProcess {
    const { SystemRoot } = process.env;
    const started = fork(options.modulePath, [String(options.maxRssBytes)], {
      execArgv: [`--max-old-space-size=${MAX_HEAP_MEGABYTES}`, "--expose-gc"],
      env: {
        NODE_ENV: process.env.NODE_ENV,
        ...(SystemRoot === undefined ? {} : { SystemRoot }),
        // The decoders' threads share their free memory: each would keep some 30 MB of its own.
        MALLOC_ARENA_MAX: "2",
      },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", (message) => {
      if (child !== started) return;
      if (current !== undefined && isMessage(message)) receive(message);
      // It speaks unasked, or in no words of its program.
      else lose(started, "crashed");
    });
    started.on("error", () => lose(started, "crashed"));
    started.on("exit", () => lose(started, "crashed"));
    return started;
  }

  function receive(message: Message): void {
    const { rows } = current!;
    const arrived = ("more" in message ? message.more : message.rows) ?? [];
    if (rows.length + arrived.length > MAX_ROWS) return lose(child, "crashed");
    rows.push(...arrived);
    if (!("more" in message)) finish("rows" in message ? { ...message, rows } : message);
  }

  function lose(lost: ChildProcess | undefined, reason: Lost): void {
    if (child !== lost) return;
    child = undefined;
    lost?.kill("SIGKILL");
    finish({ lost: reason });
  }

  function finish(answer: Answer): void {
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
    current = { ...waiting, rows: [], timer: setTimeout(() => lose(working, "timeout"), waiting.timeoutMs) };
    working.send(waiting.job, (error) => {
      if (error) lose(working, "crashed");
    });
  }

  /** An idle process must neither keep the portal alive nor hold memory for ever. */
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
    ask(job, timeoutMs, requestedBy, withJob) {
      if (isClosed) return Promise.resolve({ lost: "closed" });
      return new Promise((settle) => {
        const waiting = { job, timeoutMs, settle, isStarted: false };
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
      // An idle process is unreferenced: Node would exit during the wait, before the database is closed.
      ending.ref();
      ending.kill("SIGKILL");
      await ended;
    },
  };
}
