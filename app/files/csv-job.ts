import { readerJob } from "./reading/reader-job";
import type { Readers } from "./reading/readers.server";

export interface CsvRefusal {
  /** The column in lower case; null for the line as a whole. */
  column: string | null;
  text: string;
}

export interface CsvLine {
  /** The line in the file, as an editor counts. */
  line: number;
  /** Of the columns that are read, by their titles in lower case; empty where the file has none. */
  values: Readonly<Record<string, string>>;
  /** Why the line cannot be taken, whatever its columns mean; empty for one that can. */
  refusals: CsvRefusal[];
  /** What stands in a line whose columns cannot be told. */
  cells: string[];
}

export type CsvFile = { columns: string[]; rows: CsvLine[] } | { error: string };

export interface CsvLimits {
  /** The columns that are read, in lower case. */
  columns: readonly string[];
  required: readonly string[];
  maxLines: number;
  /** What the lines are, for a file that has none: 'aftaletider'. */
  what: string;
  /** How a column is written that a capital does not do justice. */
  titles?: Readonly<Record<string, string>>;
}

export type CsvJob = CsvLimits & { sourcePath: string };

export const csvJob = readerJob<CsvJob, CsvFile>("csv", "forms");

/** Of a file over which the process that read it hung or died. */
const CSV_UNREADABLE = "Filen kan ikke læses: det tager for lang tid eller for meget plads. Del den i flere.";

/** Reads a CSV where it can do no harm. Throws when the portal is closing. */
export const readCsvFile = async (
  readers: Readers,
  sourcePath: string,
  limits: CsvLimits,
  { id }: { id: number },
): Promise<CsvFile> =>
  (await readers.read(csvJob, { ...limits, sourcePath }, `csv ${id}`)) ?? { error: CSV_UNREADABLE };
