import { parse } from "csv-parse/sync";

export interface CsvLine {
  /** The line in the file, as an editor counts. */
  line: number;
  /** Of a column by its title in lower case; empty where the line or the file has none. */
  value(column: string): string;
}

export type CsvFile = { columns: string[]; lines: CsvLine[] } | { error: string };

interface Limits {
  required: readonly string[];
  maxLines: number;
  /** What the lines are, for a file that has none: 'aftaletider'. */
  what: string;
  /** How a column is written that a capital does not do justice. */
  titles?: Readonly<Record<string, string>>;
}

/**
 * Reads a CSV whose first line names its columns, in any order: `;`, tabs or `,`, UTF-8, UTF-16 or windows-1252, with or without BOM and a
 * first `sep=` line. Never throws: what is wrong with the file as a whole is a Danish sentence.
 */
export function readCsv(bytes: Buffer, { required, maxLines, what, titles = {} }: Limits): CsvFile {
  const whole = decode(bytes).replace(/^\uFEFF/, "");
  const separator = /^sep=(.)\r?\n/i.exec(whole);
  const text = separator ? whole.slice(separator[0].length) : whole;
  const firstLine = text.slice(0, text.search(/\r?\n|$/));
  const usual = [";", "\t"].find((sign) => firstLine.includes(sign)) ?? ",";
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: separator?.[1] ?? usual,
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: maxLines + 2,
    }) as unknown as typeof records;
  } catch {
    return { error: "Filen kan ikke læses som CSV. Gem den igen som CSV, og prøv igen." };
  }
  const [head, ...lines] = records;
  if (!head) return { error: "Filen er tom." };
  const columns = head.record.map((title) => title.toLowerCase());
  const missing = required.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    return {
      error: `Filen mangler ${missing.length === 1 ? "kolonnen" : "kolonnerne"} ${missing.map((column) => titles[column] ?? capital(column)).join(", ")}. Første linje skal være kolonnernes navne.`,
    };
  if (lines.length === 0) return { error: `Filen har ingen ${what}.` };
  if (lines.length > maxLines)
    return { error: `Filen har for mange linjer: højst ${maxLines.toLocaleString("da-DK")}.` };
  const offset = separator ? 1 : 0;
  return {
    columns,
    lines: lines.map(({ record, info }) => ({
      line: info.lines + offset,
      value: (column) => record[columns.indexOf(column)] ?? "",
    })),
  };
}

const capital = (column: string) => column.charAt(0).toUpperCase() + column.slice(1);

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
