import { TOO_MANY_READING_TEXT } from "./file-texts";
import { readerJob, TooManyReading, turnOfPerson } from "./reading/reader-job";
import type { Readers } from "./reading/readers.server";

export interface CsvRefusal {
  column: string | null;
  text: string;
}

export interface CsvLine {
  line: number;
  /** Values by column title in lower case; empty if missing. */
  values: Readonly<Record<string, string>>;
  refusals: CsvRefusal[];
  cells: string[];
}

export type CsvFile = { columns: string[]; rows: CsvLine[] } | { error: string };

export interface CsvLimits {
  columns: readonly string[];
  required: readonly string[];
  maxLines: number;
  what: string;
  titles?: Readonly<Record<string, string>>;
}

export type CsvJob = CsvLimits & { sourcePath: string };

export const csvJob = readerJob<CsvJob, CsvFile>("csv", "forms");

const CSV_UNREADABLE = "Filen kan ikke læses: det tager for lang tid eller for meget plads. Del den i flere.";

/** Reads a CSV in a reader process, in this person's turn. Throws when the portal is closing. */
export const readCsvFile = async (
  readers: Readers,
  sourcePath: string,
  limits: CsvLimits,
  { id }: { id: number },
): Promise<CsvFile> =>
  readers
    .read(csvJob, { ...limits, sourcePath }, turnOfPerson(id))
    .then((file) => file ?? { error: CSV_UNREADABLE })
    .catch((error: unknown) => {
      if (error instanceof TooManyReading) return { error: TOO_MANY_READING_TEXT };
      throw error;
    });
