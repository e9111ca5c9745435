import type { DbOrTx } from "~db/connection.server";
import { readSettings } from "~/features/settings/settings.server";
import { parseDay } from "~/text/calendar";
import { cleanLine } from "~/text/normalise";
import { twoDigits } from "~/text/numbers";
import { type Hours, type Opening, openingAt, type OpeningHours, shownHours } from "./opening-hours";

/** Settings with the hours of each weekday, Monday first: `HH:MM-HH:MM`, empty for closed. */
export const hourSettings = [
  "openingHours1",
  "openingHours2",
  "openingHours3",
  "openingHours4",
  "openingHours5",
  "openingHours6",
  "openingHours7",
] as const;

/** Setting with the closed days, one a line as typed: a date and an optional word. */
export const CLOSED_DAYS = "closedDays";

export const openingSettings = [...hourSettings, CLOSED_DAYS] as const;

function storedHours(stored: string): Hours | null {
  const [from, to] = stored.split("-");
  return from && to ? { from, to } : null;
}

export async function readOpeningHours(db: DbOrTx): Promise<OpeningHours> {
  const { [CLOSED_DAYS]: closed, ...hours } = await readSettings(db, openingSettings);
  return {
    week: hourSettings.map((name) => storedHours(hours[name])),
    closedDays: parseClosedDays(closed).days,
  };
}

/** Whether the clinic is open now; null where no hours are set. */
export const readOpening = async (db: DbOrTx, now: Date): Promise<Opening | null> =>
  openingAt(await readOpeningHours(db), now);

/** As the form of the settings holds them. */
export async function openingFormValues(db: DbOrTx): Promise<Record<(typeof openingSettings)[number], string>> {
  const stored = await readSettings(db, openingSettings);
  const hours = hourSettings.map((name) => [name, shownHours(storedHours(stored[name]))]);
  return { ...stored, ...Object.fromEntries(hours) };
}

/** Parses `8–16`, `8.30-15.30` and `08:00 - 16:00`; null if it is neither. Empty means closed. */
export function parseHours(typed: string): string | null {
  if (typed === "") return "";
  const times = typed.split(/[-–]/).map((part) => /^(\d{1,2})(?:[.:]([0-5]\d))?$/.exec(part.trim()));
  const [from, to] = times.map((time) => time && `${twoDigits(Number(time[1]))}:${time[2] ?? "00"}`);
  return times.length === 2 && from && to && from < to && to <= "24:00" ? `${from}-${to}` : null;
}

/** Typed lines in order of their days, each day once; `wrong` are those that begin with no date. */
export function parseClosedDays(typed: string): { days: string[]; lines: string[]; wrong: string[] } {
  const lines = typed.split("\n").map(cleanLine).filter(Boolean);
  const parsed = lines.map((line) => ({ line, day: parseDay(line.split(" ")[0]!) }));
  const byDay = new Map(parsed.flatMap(({ day, line }) => (day === null ? [] : [[day, line] as const])));
  const days = [...byDay.keys()].sort();
  return {
    days,
    lines: days.map((day) => byDay.get(day)!),
    wrong: parsed.flatMap(({ line, day }) => (day === null ? [line] : [])),
  };
}
