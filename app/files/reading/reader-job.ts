/**
 * A task for a reader process, with JSON input and output. Declared beside its reader and routed in
 * `app/reader-program.server.ts`. Files are passed by absolute path.
 */
export interface ReaderJob<Input extends object, Answer extends object> {
  kind: string;
  /** `forms`: somebody waits for a form. `turns`: everything else, in turn. */
  process: "forms" | "turns";
  timeoutMs: number;
  types?: (input: Input) => Answer;
}

export const READER_MS = 20_000;

export const readerJob = <Input extends object, Answer extends object>(
  kind: string,
  process: "forms" | "turns",
  timeoutMs = READER_MS,
): ReaderJob<Input, Answer> => ({ kind, process, timeoutMs });

/** Rows per message: parsing one large message would block the portal. */
export const ROWS_PER_MESSAGE = 500;

/** Too many files of this person wait to be read. */
export class TooManyReading extends Error {
  override readonly name = "TooManyReading";
}

/** Whose turn the work of a person takes; null where nobody is signed in. */
export const turnOfPerson = (personId: number | null) => (personId === null ? "nobody" : `person ${personId}`);
