import { parse } from "csv-parse/sync";
import { parseCpr } from "~/text/cpr";
import { parseDay } from "~/text/dates";

/** A row of the file as it was read: what cannot be read is null, and said of the row when it is imported. */
export interface AppointmentRow {
  /** The line in the file, as an editor counts. */
  line: number;
  /** As typed, to show what is wrong. */
  cprText: string;
  cpr: string | null;
  name: string;
  /** `YYYY-MM-DD` in Copenhagen. */
  date: string | null;
  /** `HH:MM`. */
  time: string | null;
  durationMinutes: number | null;
  code: string;
  surgeonName: string;
  isCancelled: boolean;
}

export type ParsedFile = { rows: AppointmentRow[] } | { fault: string };

/** More rows than a clinic has in years. */
export const MOST_ROWS = 20_000;

const columns = ["cpr", "navn", "mobil", "e-mail", "dato", "tid", "varighed", "kode", "behandler", "status"] as const;
const required: readonly (typeof columns)[number][] = ["cpr", "dato", "tid", "kode"];

/**
 * Reads a CSV of appointment times: a header row with the columns in any order, `;` or `,`, UTF-8
 * or windows-1252, with or without BOM and a first `sep=` line. Never throws: what is wrong with the file as a whole is a Danish sentence.
 */
export function parseAppointmentCsv(bytes: Buffer): ParsedFile {
  const whole = decode(bytes).replace(/^\uFEFF/, "");
  const separator = /^sep=(.)\r?\n/i.exec(whole);
  const text = separator ? whole.slice(separator[0].length) : whole;
  const firstLine = text.slice(0, text.search(/\r?\n|$/));
  let records: { record: string[]; info: { lines: number } }[];
  try {
    records = parse(text, {
      delimiter: separator?.[1] ?? (firstLine.includes(";") ? ";" : ","),
      info: true,
      trim: true,
      relax_column_count: true,
      skip_empty_lines: true,
      to: MOST_ROWS + 2,
    }) as unknown as typeof records;
  } catch {
    return { fault: "Filen kan ikke læses som CSV. Gem den igen fra kalenderen, og prøv igen." };
  }
  const [head, ...lines] = records;
  if (!head) return { fault: "Filen er tom." };
  const places = head.record.map((title) => title.toLowerCase());
  const missing = required.filter((column) => !places.includes(column));
  if (missing.length > 0)
    return {
      fault: `Filen mangler ${missing.length === 1 ? "kolonnen" : "kolonnerne"} ${missing.map(titleOf).join(", ")}. Første linje skal være kolonnernes navne.`,
    };
  if (lines.length === 0) return { fault: "Filen har ingen aftaletider." };
  if (lines.length > MOST_ROWS)
    return { fault: `Filen har for mange linjer: højst ${MOST_ROWS.toLocaleString("da-DK")}.` };
  const offset = separator ? 1 : 0;
  return {
    rows: lines.map(({ record, info }) => rowOf(info.lines + offset, (column) => record[places.indexOf(column)] ?? "")),
  };
}

const titleOf = (column: string) => (column === "cpr" ? "CPR" : column.charAt(0).toUpperCase() + column.slice(1));

function rowOf(line: number, value: (column: (typeof columns)[number]) => string): AppointmentRow {
  const cprText = value("cpr");
  const duration = Number(value("varighed"));
  return {
    line,
    cprText: cprText.slice(0, 20),
    cpr: parseCpr(withLeadingZero(cprText)),
    name: value("navn").slice(0, 200),
    date: parseDay(value("dato")),
    time: timeOf(value("tid")),
    durationMinutes: Number.isInteger(duration) && duration > 0 && duration <= 600 ? duration : null,
    code: value("kode").slice(0, 40),
    surgeonName: value("behandler").slice(0, 200),
    isCancelled: value("status").toLowerCase() === "aflyst",
  };
}

/** A spreadsheet takes the number for a number and drops its first zero. */
function withLeadingZero(cpr: string): string {
  return /^\d{9}$/.test(cpr) || /^\d{5}-\w{4}$/.test(cpr) ? `0${cpr}` : cpr;
}

/** `8:30`, `08.30`, `0830` to `HH:MM`, or null. */
function timeOf(text: string): string | null {
  const match = /^(\d{1,2})[:.]?(\d{2})(?::\d{2})?$/.exec(text);
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59) return null;
  return `${match[1]!.padStart(2, "0")}:${match[2]}`;
}

function decode(bytes: Buffer): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return new TextDecoder("utf-16le").decode(bytes);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}
