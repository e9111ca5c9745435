import type { CsvLimits, CsvLine } from "~/files/csv-job";
import { FIRST_HOUR, LAST_HOUR } from "~/features/referrals/model/operation-moment";
import { noDayText, parseDay } from "~/text/calendar";
import { isShownThere } from "~/text/copenhagen.server";
import { isWholeCpr, parseCpr } from "~/text/cpr";
import { showDay } from "~/text/dates";
import { INVALID_CPR, INVALID_DATE, UNREADABLE } from "./import-rules";

export interface AppointmentRow {
  line: number;
  cprText: string;
  cpr: string | null;
  name: string;
  /** `YYYY-MM-DD` in Copenhagen. */
  date: string | null;
  time: string | null;
  durationMinutes: number | null;
  code: string;
  surgeonName: string;
  isCancelled: boolean;
  /** The word of the status column that is not known here; absent where it is, or where nothing is written. */
  unknownStatus?: string;
  refusal: { status: number; text: string } | null;
}

export const MAX_ROWS = 20_000;

const columns = ["cpr", "navn", "mobil", "e-mail", "dato", "tid", "varighed", "kode", "behandler", "status"] as const;
const required: readonly (typeof columns)[number][] = ["cpr", "dato", "tid", "kode"];

export const appointmentCsv: CsvLimits = {
  columns,
  required,
  maxLines: MAX_ROWS,
  what: "aftaletider",
  titles: { cpr: "CPR" },
};

export function rowOf(csv: CsvLine): AppointmentRow {
  const value = (column: (typeof columns)[number]) => csv.values[column] ?? "";
  const isShifted = csv.refusals.some(({ column }) => column === null);
  if (isShifted) return unreadRow(csv.line, csv.cells, csv.refusals[0]!.text);
  const cprText = value("cpr");
  const duration = Number(value("varighed"));
  const row = {
    line: csv.line,
    cprText: cprText.slice(0, 20),
    cpr: parseCpr(withLeadingZero(cprText)),
    name: value("navn").slice(0, 200),
    date: parseDay(value("dato")),
    time: timeOf(value("tid")),
    durationMinutes: Number.isInteger(duration) && duration > 0 && duration <= 600 ? duration : null,
    code: value("kode").slice(0, 40),
    surgeonName: value("behandler").slice(0, 200),
    isCancelled: value("status").toLowerCase() === CANCELLED_WORD,
    ...unknownStatusOf(value("status")),
  };
  return { ...row, refusal: refusalOf(csv) ?? cprRefusal(row) ?? dateRefusal(row, value("dato")) };
}

const CANCELLED_WORD = "aflyst";
const KNOWN_WORDS = ["", CANCELLED_WORD, "aktiv", "aftalt", "bekræftet", "booket", "planlagt"];

const unknownStatusOf = (word: string): Pick<AppointmentRow, "unknownStatus"> =>
  KNOWN_WORDS.includes(word.toLowerCase()) ? {} : { unknownStatus: word.slice(0, 40) };

/**
 * A row whose cells may be in the wrong columns. Its CPR number alone says whose it is, so that nothing of that patient
 * counts as missing.
 */
export const unreadRow = (line: number, cells: readonly string[], text: string): AppointmentRow => ({
  line,
  cprText: "",
  cpr: cells.map((cell) => parseCpr(withLeadingZero(cell))).find((cpr) => cpr !== null) ?? null,
  name: "",
  date: null,
  time: null,
  durationMinutes: null,
  code: "",
  surgeonName: "",
  isCancelled: false,
  refusal: { status: UNREADABLE, text },
});

const statusOfColumn: Readonly<Record<string, number>> = { cpr: INVALID_CPR, dato: INVALID_DATE, tid: INVALID_DATE };

function refusalOf({ refusals: [first] }: CsvLine): AppointmentRow["refusal"] {
  if (first === undefined) return null;
  const { column, text } = first;
  return { status: statusOfColumn[column!] ?? UNREADABLE, text: `${titleOf(column!)}: ${text}` };
}

const titleOf = (column: string) => (column === "cpr" ? "CPR" : column.charAt(0).toUpperCase() + column.slice(1));

function cprRefusal({ cpr, cprText }: Pick<AppointmentRow, "cpr" | "cprText">): AppointmentRow["refusal"] {
  if (cpr !== null) return null;
  const text = isWholeCpr(withLeadingZero(cprText))
    ? "CPR-nummeret findes ikke: de første seks cifre er ikke en dato."
    : "CPR-nummeret skal være en dato på seks cifre og fire tegn, fx 251248-9996.";
  return { status: INVALID_CPR, text };
}

/** Only the day of a cancelled row is checked; its appointment may predate these rules. */
function dateRefusal(
  { date, time, isCancelled }: Pick<AppointmentRow, "date" | "time" | "isCancelled">,
  dateText: string,
): AppointmentRow["refusal"] {
  const refuse = (text: string) => ({ status: INVALID_DATE, text });
  if (date === null) return refuse(noDayText(dateText));
  if (isCancelled) return null;
  if (time === null) return refuse("Skriv tiden som tt:mm.");
  const [hour, minute] = time.split(":").map(Number) as [number, number];
  const at = time.replace(":", ".");
  if (hour >= FIRST_HOUR && hour <= LAST_HOUR) return null;
  return refuse(
    isShownThere(date, hour, minute)
      ? `Kl. ${at} ligger uden for klinikkens timer: tider begynder fra kl. 07.00 til 20.59.`
      : `Kl. ${at} findes ikke den ${showDay(date)}, hvor uret stilles en time frem.`,
  );
}

/** Spreadsheets drop the leading zero. */
function withLeadingZero(cpr: string): string {
  return /^\d{9}$/.test(cpr) || /^\d{5}-\w{4}$/.test(cpr) ? `0${cpr}` : cpr;
}

function timeOf(text: string): string | null {
  const match = /^(\d{1,2})[:.]?(\d{2})(?::\d{2})?$/.exec(text);
  if (!match || Number(match[1]) > 23 || Number(match[2]) > 59) return null;
  return `${match[1]!.padStart(2, "0")}:${match[2]}`;
}
