import { readCsv } from "~/files/read-csv.server";
import { parseCpr } from "~/text/cpr";
import { parseDay } from "~/text/calendar";

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

export type ParsedFile = { rows: AppointmentRow[] } | { error: string };

/** More rows than a clinic has in years. */
export const MAX_ROWS = 20_000;

const columns = ["cpr", "navn", "mobil", "e-mail", "dato", "tid", "varighed", "kode", "behandler", "status"] as const;
const required: readonly (typeof columns)[number][] = ["cpr", "dato", "tid", "kode"];

/** Reads a CSV of appointment times: a header row with the columns in any order. What is wrong with the file as a whole is a Danish sentence. */
export function parseAppointmentCsv(bytes: Buffer): ParsedFile {
  const file = readCsv(bytes, { required, maxLines: MAX_ROWS, what: "aftaletider", titles: { cpr: "CPR" } });
  return "error" in file ? file : { rows: file.lines.map(({ line, value }) => rowOf(line, value)) };
}

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
