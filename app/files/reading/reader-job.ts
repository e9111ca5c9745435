/**
 * What a process that reads hostile files is asked to do: data in, data out, both as JSON. The job is declared beside its reader, and
 * `app/reader-program.server.ts` names the function that answers it. A file is handed over by its absolute path.
 */
export interface ReaderJob<Input extends object, Answer extends object> {
  kind: string;
  /** `forms`: somebody waits for a form's answer. `turns`: everything else; people and background work take turns. */
  process: "forms" | "turns";
  /** Milliseconds; then the process is killed. */
  timeoutMs: number;
  /** Never set: it carries the types of what goes in and comes out. */
  types?: (input: Input) => Answer;
}

export const READER_MS = 20_000;

export const readerJob = <Input extends object, Answer extends object>(
  kind: string,
  process: "forms" | "turns",
  timeoutMs = READER_MS,
): ReaderJob<Input, Answer> => ({ kind, process, timeoutMs });

/** Rows of an answer that travel in one message: one message of all would be parsed at once and hold the portal up. */
export const ROWS_PER_MESSAGE = 500;
