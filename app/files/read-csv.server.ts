import { parse } from "csv-parse/sync";
import { cleanLine } from "~/text/normalise";
import { decodeText } from "./csv-encoding.server";

export interface CsvRefusal {
  /** The column in lower case; null for the line as a whole. */
  column: string | null;
  text: string;
}

export interface CsvLine {
  /** The line in the file, as an editor counts. */
  line: number;
  /** Of a column by its title in lower case; empty where the line or the file has none. */
  value(column: string): string;
  /** Why the line cannot be taken, whatever its columns mean; empty for one that can. */
  refusals: CsvRefusal[];
  /** All that stands in it, for a line whose columns cannot be told. */
  cells: string[];
}

export type CsvFile = { columns: string[]; lines: CsvLine[] } | { error: string };

interface Limits {
  /** The columns that are read, in lower case. */
  columns: readonly string[];
  required: readonly string[];
  maxLines: number;
  /** What the lines are, for a file that has none: 'aftaletider'. */
  what: string;
  /** How a column is written that a capital does not do justice. */
  titles?: Readonly<Record<string, string>>;
}

interface CsvRecord {
  line: number;
  cells: string[];
  /** Its quotation marks do not match, so its cells are what stands between separators. */
  isDamaged: boolean;
}

/**
 * Reads a CSV whose first line names its columns, in any order: `;`, tabs or `,`, with or without a first `sep=` line, in the encodings of
 * `decodeText`. No cell holds a line break. Never throws: what is wrong with the file as a whole is a Danish sentence, and what is wrong with one line is its refusals.
 */
export function readCsv(bytes: Buffer, { columns: known, required, maxLines, what, titles = {} }: Limits): CsvFile {
  const decoded = decodeText(bytes);
  if ("error" in decoded) return decoded;
  const [head, ...lines] = recordsOf(decoded.text.replace(/^\uFEFF/, ""), maxLines);
  if (!head) return { error: "Filen er tom." };
  if (head.isDamaged)
    return { error: `Citationstegnene på linje ${head.line}, som er kolonnernes navne, passer ikke sammen.` };
  const titleOf = (column: string) => titles[column] ?? column.charAt(0).toUpperCase() + column.slice(1);
  const columns = head.cells.map((title) => title.toLowerCase());
  const missing = required.filter((column) => !columns.includes(column));
  if (missing.length > 0)
    return {
      error: `Filen mangler ${missing.length === 1 ? "kolonnen" : "kolonnerne"} ${missing.map(titleOf).join(", ")}. Første linje skal være kolonnernes navne.`,
    };
  const twice = columns.find((column, at) => column !== "" && columns.indexOf(column) !== at);
  if (twice !== undefined)
    return {
      error: `Linje ${head.line} nævner kolonnen ${titleOf(twice)} to gange. Giv hver kolonne sit eget navn, og prøv igen.`,
    };
  if (lines.length === 0) return { error: `Filen har ingen ${what}.` };
  if (lines.length > maxLines)
    return { error: `Filen har for mange linjer: højst ${maxLines.toLocaleString("da-DK")}.` };
  return { columns, lines: lines.map((record) => lineOf(record, columns, known)) };
}

function lineOf({ line, cells, isDamaged }: CsvRecord, columns: string[], known: readonly string[]): CsvLine {
  const value = (column: string) => cells[columns.indexOf(column)] ?? "";
  const refuse = (text: string) => ({ line, value, cells, refusals: [{ column: null, text }] });
  if (isDamaged)
    return refuse(
      "Citationstegnene på linjen passer ikke sammen: et er åbnet og ikke lukket, eller står midt i en celle.",
    );
  if (cells.length !== columns.length)
    return refuse(
      `Linjen har ${countOf(cells.length)}, men kolonnernes navne har ${countOf(columns.length)}. Står der et skilletegn i en celle, skal cellen i citationstegn.`,
    );
  const refusals = known.flatMap((column) => {
    const text = cellError(value(column));
    return text === null ? [] : [{ column, text }];
  });
  return { line, value, cells, refusals };
}

const countOf = (fields: number) => (fields === 1 ? "1 felt" : `${fields} felter`);

/** What a spreadsheet has made of a cell, or would: a formula runs there, and of a long number only the first digits are left. A phone number may begin with a plus. */
function cellError(cell: string): string | null {
  if (/^\d([.,]\d+)?E[+-]?\d+$/i.test(cell))
    return `Et regneark har forkortet tallet til ${cell}. Gør kolonnen til tekst i regnearket, skriv tallet igen, og gem filen.`;
  if (/^[=@\t]/.test(cell) || (/^[+-]/.test(cell) && !/^(\+[\d ()-]+|-+)$/.test(cell)))
    return "Cellen ligner en formel.";
  return null;
}

/** The lines that hold something, the columns' names first; at most two more than `maxLines`. */
function recordsOf(whole: string, maxLines: number): CsvRecord[] {
  const separator = /^sep=(.)(?:\r\n|\r|\n)/i.exec(whole);
  const text = separator ? whole.slice(separator[0].length) : whole;
  const firstLine = text.slice(0, text.search(/[\r\n]|$/));
  const usual = [";", "\t"].find((sign) => firstLine.includes(sign)) ?? ",";
  const delimiter = separator?.[1] ?? usual;
  const offset = separator ? 2 : 1;
  const filled = text
    .split(/\r\n|\r|\n/)
    .map((each, at) => ({ line: at + offset, text: each }))
    .filter((each) => each.text.split(delimiter).some((cell) => cell.trim() !== ""))
    .slice(0, maxLines + 2);
  const together = parsed(filled.map((each) => each.text).join("\n"), delimiter);
  // A quotation mark that is not closed takes in the lines after it: then each line is read by itself.
  const isWhole = together?.length === filled.length;
  return filled.map((each, at) => {
    const cells = isWhole ? together[at]! : (parsed(each.text, delimiter)?.[0] ?? null);
    const between = () => each.text.replace(/"/g, "").split(delimiter);
    return { line: each.line, cells: (cells ?? between()).map(cleanLine), isDamaged: cells === null };
  });
}

/** Null where quotation marks do not match. */
function parsed(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, trim: true, relax_column_count: true, skip_empty_lines: true }) as string[][];
  } catch {
    return null;
  }
}
