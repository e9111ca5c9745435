import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type ReaderJob, TooManyReading } from "./reader-job";

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
  /** Like `ask`, but null if the process hung or died. Throws `TooManyReading`, and when the portal is closing. */
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

/** A form reads its files one by one, and a browser sends few at once. */
const MAX_FORMS_WAITING_EACH = 20;

export const isOfTheFile = (lost: Lost): lost is "timeout" | "crashed" => lost === "timeout" || lost === "crashed";

/** Two reader processes: one for forms that somebody waits for, one for everything else (docs/decisions/0061). */
export function createReaders(options: ReaderOptions): Readers {
  const { programPath: modulePath, timeoutMs, maxWaitingEach = 200, idleMs = 60_000, maxRssBytes = 520e6 } = options;
  const processes = {
    forms: createReaderProcess({
      modulePath,
      idleMs,
      maxWaitingEach: options.maxWaitingEach ?? MAX_FORMS_WAITING_EACH,
      maxRssBytes,
    }),
    turns: createReaderProcess({ modulePath, idleMs, maxWaitingEach, maxRssBytes }),
  };

  const ask: Readers["ask"] = async (job, input, requestedBy, withJob) => {
    const askOnce = () =>
      processes[job.process].ask({ ...input, kind: job.kind }, timeoutMs ?? job.timeoutMs, requestedBy, withJob);
    const answer = await askOnce();
    // One death proves nothing against a file: the kernel may have needed the memory.
    const isCrash = "lost" in answer && answer.lost === "crashed";
    return (isCrash ? await askOnce() : answer) as never;
  };

  return {
    ask,
    async read(job, input, requestedBy) {
      const answer = await ask(job, input, requestedBy);
      if (!("lost" in answer)) return answer;
      if (isOfTheFile(answer.lost)) return null;
      if (answer.lost === "busy") throw new TooManyReading();
      throw new Error(`${job.kind} not read: ${answer.lost}`);
    },
    async close() {
      await Promise.all([processes.forms.close(), processes.turns.close()]);
    },
  };
}

/** No answer: the process hung, crashed (or ran out of memory), has too many jobs of this person, or is closing. */
type Lost = "timeout" | "crashed" | "busy" | "closed";

type Answer = object | { lost: Lost };

interface ReaderProcess {
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

interface ReaderProcessOptions {
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
function createReaderProcess(options: ReaderProcessOptions): ReaderProcess {
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
        SystemRoot,
        // The decoders' threads share their free memory: each would keep some 30 MB of its own.
        MALLOC_ARENA_MAX: "2",
      },
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    started.on("message", (message) => {
      if (child !== started) return;
      if (current !== undefined && isMessage(message)) receive(message);
      // The process sent a message without a job, or one outside its protocol.
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

/** Serves people in turn, one job each, so that one person's many jobs do not delay others. */
export class FairQueue<Work> {
  private readonly lists = new Map<string, Work[]>();
  private readonly maxEach: number;
  private readonly isStarted: (work: Work) => boolean;

  /**
   * @param maxEach jobs that may wait per person; @param isStarted work waiting in several lists is started from one
   */
  constructor(maxEach: number, isStarted: (work: Work) => boolean) {
    this.maxEach = maxEach;
    this.isStarted = isStarted;
  }

  /** @returns false if the person's list is full */
  add(person: string, work: Work): boolean {
    const list = this.lists.get(person) ?? [];
    if (list.length >= this.maxEach) return false;
    list.push(work);
    this.lists.set(person, list);
    return true;
  }

  take(): Work | undefined {
    for (const [person, list] of this.lists) {
      this.lists.delete(person);
      const next = list.findIndex((work) => !this.isStarted(work));
      if (next < 0) continue;
      const [work] = list.splice(0, next + 1).slice(next);
      if (list.length > 0) this.lists.set(person, list);
      return work;
    }
    return undefined;
  }

  takeAll(): Work[] {
    const all = [...this.lists.values()].flat().filter((work) => !this.isStarted(work));
    this.lists.clear();
    return [...new Set(all)];
  }
}
