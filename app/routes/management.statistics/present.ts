import type { OperationRow, readStatistics } from "~/features/statistics/read-statistics.server";
import type { PageOf } from "~/http/runners/page.server";
import { channelLabels } from "~/features/delivery/delivery-outcome";
import { roleLabel } from "~/features/people/role-names";
import { type PlotName, plotTables } from "~/features/statistics/plot-tables";
import { visibleLabel } from "~/features/referrals/model/status";
import { addDays } from "~/text/calendar";
import { shortMonth, showDay } from "~/text/dates";
import { showCount } from "~/text/numbers";

type Values = PageOf<typeof readStatistics>;
export type Statistics = ReturnType<typeof presentStatistics>;

const EMPTY = "--";
const sum = (values: number[]) => values.reduce((all, n) => all + n, 0);
const percent = (part: number, whole: number) => `${Math.round((100 * part) / Math.max(1, whole))} %`;
const count = (n: number, one: string, many: string) => `${showCount(n)} ${n === 1 ? one : many}`;

export const presentStatistics = (page: Values) => ({
  ...page,
  tables: plotTables(page.plots, page),
  findings: findingsOf(page),
  figures: figuresOf(page),
  words: wordsOf(page),
  heading: `${showDay(page.period.from)}–${showDay(page.period.to)} · testhenvisninger tæller ikke med`,
  isLastRunning: page.period.to.slice(0, 7) === page.today.slice(0, 7),
  fields: {
    from: page.typed.from || showDay(page.period.from),
    to: page.typed.to || showDay(page.period.to),
  },
  choices: page.quickChoices.map(({ label, from, to }) => ({
    label,
    href: `?${new URLSearchParams({ fra: showDay(from), til: showDay(to), type: String(page.list.dataType) }).toString()}`,
    isCurrent: from === page.period.from && to === page.period.to,
  })),
  listTotal:
    page.list.dataType === 0
      ? `${count(page.total, "behandling", "behandlinger")} · ${count(page.types.length, "type", "typer")}`
      : `${count(page.total, "henvisning", "henvisninger")} · ${count(page.list.groupCount, "henviser", "henvisere")}`,
  types: page.types.map(({ id, name, n }) => ({
    id,
    name: name ?? EMPTY,
    count: showCount(n),
    length: Math.round((100 * n) / (page.types[0]?.n ?? 1)),
  })),
  openType: page.openType && {
    rows: page.openType.rows.map(presentOperation),
    more: Math.max(0, page.openType.groupCount - page.openType.rows.length),
  },
  operations: page.list.dataType === 0 ? page.list.rows.map(presentOperation) : [],
  doctors:
    page.list.dataType === 1
      ? page.list.rows.map((row) => ({
          ...row,
          referrer: row.referrer ?? EMPTY,
          clinic: row.clinics.join(", ") || EMPTY,
          count: showCount(row.count),
          types: doctorTypes(page.list, row.countsByType),
        }))
      : [],
  pageViews: page.pageViews.map((row) => ({ page: row.page, role: roleLabel(row.role), count: showCount(row.n) })),
});

const presentOperation = (row: OperationRow) => ({
  place: row.place,
  treatmentType: row.treatmentType ?? EMPTY,
  count: showCount(row.count),
  referrer: row.referrer ?? EMPTY,
  clinic: row.clinic ?? EMPTY,
  lastDay: row.lastDay,
});

const doctorTypes = (list: Values["list"], counts: number[]) =>
  list.dataType === 1
    ? list.types.map(({ id, name }, index) => ({ id, name: name || EMPTY, count: counts[index] ?? 0 }))
    : [];

function totalsOf({ plots: { referrals, messages } }: Values) {
  const urgent = sum(referrals.months.map((month) => month.urgent));
  return {
    urgent,
    sent: urgent + sum(referrals.months.map((month) => month.normal)),
    arrived: sum(messages.map((row) => row.sent)),
    ended: sum(messages.map((row) => row.sent + row.notRegistered + row.failed + row.unknown)),
  };
}

/** The period in four figures; one that nothing was counted for is left out. */
function figuresOf(page: Values): { value: string; label: string }[] {
  const { sent, arrived, ended } = totalsOf(page);
  const { referrals, waits } = page.plots;
  const { toTriage, toOperation } = waits.all;
  const monthly = Math.round(sent / Math.max(1, referrals.months.length));
  return [
    {
      value: showCount(monthly),
      label: `${monthly === 1 ? "henvisning" : "henvisninger"} om måneden${trend(sent, referrals.yearBefore)}`,
    },
    ...(toTriage.median === null ? [] : [{ value: inDays(toTriage.median), label: "til visitering" }]),
    ...(toOperation.median === null ? [] : [{ value: inDays(toOperation.median), label: "til operation" }]),
    ...(ended === 0 ? [] : [{ value: percent(arrived, ended), label: "af beskederne kom frem" }]),
  ];
}

function findingsOf(page: Values): Record<PlotName, [string, string, string]> {
  const { plots, status16Label } = page;
  const { referrals, waits, open, stopped } = plots;
  const { urgent, sent, arrived, ended } = totalsOf(page);
  const openCount = (row: (typeof open)[number]) => row.under7 + row.to30 + row.over30;
  const allOpen = sum(open.map(openCount));
  const largest = [...open].sort((a, b) => openCount(b) - openCount(a))[0];
  const cancelled = sum(stopped.months.map((month) => month.cancelled));
  const notReached = sum(stopped.months.map((month) => month.notReached));
  const { toTriage, toCallUp, toOperation } = waits.all;
  return {
    henvisninger: [
      `${count(sent, "henvisning", "henvisninger")}${comparison(sent, referrals.yearBefore)}; `,
      `${percent(urgent, sent)} var haste`,
      ".",
    ],
    ventetider:
      toTriage.median === null
        ? ["Ingen ventetider i perioden", "", "."]
        : [
            "Halvdelen er visiteret inden for ",
            inDays(toTriage.median),
            `${toCallUp.median === null ? "" : `, indkaldt inden for ${inDays(toCallUp.median)}`}${
              toOperation.median === null
                ? ""
                : ` og opereret inden for ${inDays(toOperation.median)}; ni af ti senest på ${inDays(toOperation.ninetiethPercentile!)} (stiplet)`
            }.`,
          ],
    aabne: largest
      ? [
          "",
          `${showCount(allOpen)} er åbne`,
          `; ${showCount(sum(open.map((row) => row.over30)))} har stået mere end 30 dage samme sted, flest i »${visibleLabel(largest.status, { status16Label })}«.`,
        ]
      : ["Ingen åbne henvisninger", "", "."],
    afbud: [
      "",
      count(cancelled, "afbud", "afbud"),
      ` fra patienter, og ${count(notReached, "patient", "patienter")} blev ikke truffet.`,
    ],
    beskeder:
      ended === 0
        ? ["Ingen beskeder i perioden", "", "."]
        : ["", `${percent(arrived, ended)} af ${count(ended, "besked", "beskeder")}`, " kom frem."],
    tavse: silenceFinding(page),
  };
}

/** About the period's last week, which may not be over. */
function silenceFinding({ plots: { silent: weeks }, today }: Values): [string, string, string] {
  const last = weeks[weeks.length - 1];
  if (!last || last.silent === null || last.stillSilent === null) return ["Ikke talt i perioden", "", "."];
  const aim = "Forbi deres næste dato; målet er 0. ";
  if (last.silent === 0) return [aim, `Ingen i uge ${last.week}`, "."];
  const still = addDays(last.monday, 6) < today ? "var det stadig, da ugen sluttede" : "er det stadig";
  return [aim, `${showCount(last.silent)} i uge ${last.week}`, `; ${showCount(last.stillSilent)} ${still}.`];
}

function wordsOf({ plots, period, status16Label }: Values): Record<PlotName, { labels: string[]; notes: string[] }> {
  const { referrals, open, messages, silent } = plots;
  const months = { labels: referrals.months.map(({ month }) => monthLabel(month, period)), notes: [] };
  const share = (sent: number, all: number) =>
    `${((100 * sent) / all).toFixed(1).replace(".", ",")} % af ${showCount(all)}`;
  return {
    henvisninger: months,
    ventetider: months,
    afbud: months,
    aabne: {
      labels: open.map(({ status }) => visibleLabel(status, { status16Label })),
      notes: open.map((row) => showCount(row.under7 + row.to30 + row.over30)),
    },
    beskeder: {
      labels: messages.map(({ channel }) => channelLabels[channel]),
      notes: messages.map((row) => share(row.sent, row.sent + row.notRegistered + row.failed + row.unknown)),
    },
    tavse: { labels: silent.map(({ week }) => String(week)), notes: [] },
  };
}

function monthLabel(month: string, { from, to }: Values["period"]): string {
  const [isFirst, isLast] = [from.startsWith(month), to.startsWith(month)];
  if (isFirst && !isLast && !from.endsWith("-01")) return `${shortMonth(month)} (fra ${Number(from.slice(8))}.)`;
  if (isLast && !isFirst && addDays(to, 1).startsWith(month))
    return `${shortMonth(month)} (til ${Number(to.slice(8))}.)`;
  return shortMonth(month);
}

const inDays = (days: number) => count(days, "dag", "dage");

/** `, ↑ 6 % på et år`; empty where nothing can be compared. */
function trend(now: number, before: number): string {
  const change = before === 0 ? 0 : Math.round((100 * (now - before)) / before);
  return change === 0 ? "" : `, ${change > 0 ? "↑" : "↓"} ${Math.abs(change)} % på et år`;
}

function comparison(now: number, before: number): string {
  if (before === 0) return "";
  const change = Math.round((100 * (now - before)) / before);
  return change === 0 ? ", som året før" : `, ${Math.abs(change)} % ${change > 0 ? "flere" : "færre"} end året før`;
}
