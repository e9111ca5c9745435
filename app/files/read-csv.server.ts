import { decodeWindows1252 } from "~/text/windows-1252";
import { readFile } from "node:fs/promises";
import { parse } from "csv-parse/sync";
import { cleanLine } from "~/text/normalise";
import type { CsvFile, CsvJob, CsvLimits, CsvLine } from "./csv-job";

/** Danish MacRoman letters as read by windows-1252. */
const MAC_LETTERS = /[\u0152\u00be\u00bf\u00ae\u00af\u0081]/;
const DANISH_LETTERS = /[æøåÆØÅ]/;
/** Bytes undefined in windows-1252, and characters that MS-DOS Danish letters become inside words. */
const OF_DOS = /[\u008d\u008f\u0090\u009d]|\p{L}[\u2020\u203a\u2018]|[\u2020\u203a\u2018]\p{L}/u;

/**
 * Decodes by byte order mark, else strict UTF-8, UTF-16 by zero bytes, MacRoman or windows-1252. A Danish error if none
 * fits.
 */
export function decodeText(bytes: Buffer): { text: string } | { error: string } {
  const utf16 = endianOf(bytes);
  if (utf16 !== null) return { text: new TextDecoder(utf16).decode(bytes) };
  if (bytes.includes(0)) return { error: "Filen er ikke en tekstfil. Gem den som CSV UTF-8, og prøv igen." };
  try {
    return { text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return decodeSingleBytes(bytes);
  }
}

function decodeSingleBytes(bytes: Buffer): { text: string } | { error: string } {
  const text = decodeWindows1252(bytes);
  if (MAC_LETTERS.test(text) && !DANISH_LETTERS.test(text)) {
    const ofMac = new TextDecoder("macintosh").decode(bytes);
    if (DANISH_LETTERS.test(ofMac)) return { text: ofMac };
  }
  if (!OF_DOS.test(text)) return { text };
  return {
    error:
      "Filens bogstaver kan ikke læses: den er gemt med en tegnkodning, som portalen ikke kender, fx MS-DOS. Gem den som CSV UTF-8, og prøv igen.",
  };
}

/** Detects UTF-16 by byte order mark or position of zero bytes; otherwise null. */
function endianOf(bytes: Buffer): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  const head = bytes.subarray(0, 400);
  const zeros = [0, 0];
  for (const [at, byte] of head.entries()) if (byte === 0) zeros[at % 2]! += 1;
  const [even, odd] = zeros as [number, number];
  if (odd > head.length / 4 && even === 0) return "utf-16le";
  return even > head.length / 4 && odd === 0 ? "utf-16be" : null;
}

const MAX_COLUMNS = 200;
const MAX_LINE = 20_000;
const MAX_CELL = 2000;

/** In a reader process: a line of many separators takes seconds. */
export const readCsvAt = async ({ sourcePath, ...limits }: CsvJob): Promise<CsvFile> =>
  readCsv(await readFile(sourcePath), limits);

interface CsvRecord {
  line: number;
  cells: string[];
  isDamaged: boolean;
  isLong: boolean;
}

/**
 * Reads a CSV with a header line in any column order: `;`, tab or `,`, an optional first `sep=` line, encodings of
 * `decodeText`. Cells have no line breaks. Never throws: a file error is a Danish sentence, line errors are refusals.
 */
export function readCsv(bytes: Buffer, { columns: known, required, maxLines, what, titles = {} }: CsvLimits): CsvFile {
  const decoded = decodeText(bytes);
  if ("error" in decoded) return decoded;
  const [head, ...lines] = recordsOf(decoded.text.replace(/^\uFEFF/, ""), maxLines);
  if (!head) return { error: "Filen er tom." };
  if (head.isDamaged)
    return { error: `Citationstegnene på linje ${head.line}, som er kolonnernes navne, passer ikke sammen.` };
  if (head.isLong || head.cells.length > MAX_COLUMNS)
    return { error: `Linje ${head.line}, som er kolonnernes navne, har for mange kolonner: højst ${MAX_COLUMNS}.` };
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
  const places = known.map((column) => [column, columns.indexOf(column)] as const);
  return { columns, rows: lines.map((record) => lineOf(record, columns, places)) };
}

function lineOf(
  { line, cells, isDamaged, isLong }: CsvRecord,
  columns: string[],
  places: readonly (readonly [column: string, at: number])[],
): CsvLine {
  const values = Object.fromEntries(places.map(([column, at]) => [column, cells[at] ?? ""]));
  const refuse = (text: string) => ({
    line,
    values: {},
    cells: cells.slice(0, MAX_COLUMNS).filter((cell) => cell.length <= MAX_CELL),
    refusals: [{ column: null, text }],
  });
  if (isLong) return refuse(`Linjen er længere end ${MAX_LINE.toLocaleString("da-DK")} tegn.`);
  if (isDamaged)
    return refuse(
      "Citationstegnene på linjen passer ikke sammen: et er åbnet og ikke lukket, eller står midt i en celle.",
    );
  if (cells.length !== columns.length)
    return refuse(
      `Linjen har ${countOf(cells.length)}, men kolonnernes navne har ${countOf(columns.length)}. Står der et skilletegn i en celle, skal cellen i citationstegn.`,
    );
  const refusals = Object.entries(values).flatMap(([column, cell]) => {
    const text = cellError(cell);
    return text === null ? [] : [{ column, text }];
  });
  if (refusals.length === 0) return { line, values, cells: [], refusals };
  const short = Object.entries(values).map(([column, cell]) => [column, cell.slice(0, MAX_CELL)]);
  return { line, values: Object.fromEntries(short), cells: [], refusals };
}

const countOf = (fields: number) => (fields === 1 ? "1 felt" : `${fields} felter`);

/** Refuses formulas and long numbers that a spreadsheet has shortened. A phone number may begin with a plus. */
function cellError(cell: string): string | null {
  if (cell.length > MAX_CELL) return `Cellen er længere end ${MAX_CELL.toLocaleString("da-DK")} tegn.`;
  if (/^\d([.,]\d+)?E[+-]?\d+$/i.test(cell))
    return `Et regneark har forkortet tallet til ${cell}. Gør kolonnen til tekst i regnearket, skriv tallet igen, og gem filen.`;
  if (/^[=@\t]/.test(cell) || (/^[+-]/.test(cell) && !/^(\+[\d ()-]+|-+)$/.test(cell)))
    return "Cellen ligner en formel.";
  return null;
}

function recordsOf(given: string, maxLines: number): CsvRecord[] {
  const separator = /^sep=(.)(?:\r\n|\r|\n)/i.exec(given);
  const text = separator ? given.slice(separator[0].length) : given;
  const firstLine = text.slice(0, lineEnd(text, 0));
  const usual = [";", "\t"].find((sign) => firstLine.includes(sign)) ?? ",";
  const delimiter = separator?.[1] ?? usual;
  const offset = separator ? 2 : 1;
  const filled = filledLines(text, delimiter, offset, maxLines + 2);
  const whole = filled.filter(({ isLong }) => !isLong);
  const together = parsed(whole.map((each) => each.text).join("\n"), delimiter);
  // An unclosed quote swallows later lines, so each line is then parsed alone.
  const cellsOf = new Map(together?.length === whole.length ? whole.map((each, at) => [each, together[at]!]) : []);
  return filled.map((each) => {
    if (each.isLong) return { line: each.line, cells: [], isDamaged: false, isLong: true };
    const cells = cellsOf.get(each) ?? parsed(each.text, delimiter)?.[0] ?? null;
    const between = () => each.text.replace(/"/g, "").split(delimiter);
    return { line: each.line, cells: (cells ?? between()).map(cleanLine), isDamaged: cells === null, isLong: false };
  });
}

function filledLines(text: string, delimiter: string, offset: number, max: number) {
  const filled: { line: number; text: string; isLong: boolean }[] = [];
  let line = offset;
  for (let at = 0; at < text.length && filled.length < max; line += 1) {
    const end = lineEnd(text, at);
    const isLong = end - at > MAX_LINE;
    const own = isLong ? "" : text.slice(at, end);
    if (isLong || own.split(delimiter).some((cell) => cell.trim() !== "")) filled.push({ line, text: own, isLong });
    at = text.startsWith("\r\n", end) ? end + 2 : end + 1;
  }
  return filled;
}

function lineEnd(text: string, from: number): number {
  for (let at = from; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (sign === 0x0a || sign === 0x0d) return at;
  }
  return text.length;
}

/** Null with unbalanced quotes. */
function parsed(text: string, delimiter: string): string[][] | null {
  try {
    return parse(text, { delimiter, trim: true, relax_column_count: true, skip_empty_lines: true }) as string[][];
  } catch {
    return null;
  }
}
