import { channelLabels } from "~/features/delivery/delivery-outcome";
import { type StatusSettings, visibleLabel } from "~/features/referrals/model/status";
import { materialKinds } from "~/features/referrals/model/material-kinds";
import { showMonth } from "~/text/dates";
import type { Plots } from "./read-statistics.server";

/** Columns with a common heading, e.g. 'Til visitering' over 'median' and '90 %'. */
export interface HeadGroup {
  label: string;
  parts: readonly string[];
}

export interface PlotTable {
  heads: string[];
  groups?: HeadGroup[];
  /** The first cell is the row's name; null means nothing was counted. */
  rows: [string, ...(number | null)[]][];
}

/** In the order in which they are drawn; the series are the columns of the table. A hatch tells red from the others without colour. */
export const plots = {
  henvisninger: {
    title: "Henvisninger pr. måned",
    series: [
      { label: "Almindelig", tone: "mid" },
      { label: "Haste henvisning", tone: "red", isHatched: true },
    ],
  },
  ventetider: {
    title: "Dage fra henvisning",
    series: [
      { label: "Til operation", tone: "dark", mark: "circle" },
      { label: "Til indkaldelse", tone: "mid", mark: "square" },
      { label: "Til visitering", tone: "warn", mark: "diamond" },
    ],
  },
  afbud: {
    title: "Afbud og patienter, der ikke kunne træffes",
    series: [
      { label: "Afbud", tone: "mid" },
      { label: "Ikke truffet", tone: "light" },
    ],
  },
  beskeder: {
    title: "Beskeder til patienter og henvisere",
    series: [
      { label: "Kom frem", tone: "mid" },
      { label: "Ikke tilmeldt e-Boks", tone: "light" },
      { label: "Fejlede", tone: "red", isHatched: true },
      { label: "Ukendt", tone: "dark" },
    ],
  },
  tavse: {
    title: "Tavse henvisninger pr. uge",
    series: [
      { label: "Tavse i ugen", tone: "mid", mark: "circle" },
      { label: "Stadig tavse ved ugens slutning", tone: "dark", mark: "diamond" },
    ],
  },
  aabne: {
    title: "Her står de åbne henvisninger",
    series: [
      { label: "Under 7 dage", tone: "light" },
      { label: "7–30 dage", tone: "mid" },
      { label: "Over 30 dage", tone: "dark" },
    ],
  },
} as const;

export type PlotName = keyof typeof plots;

export const plotNames = Object.keys(plots) as [PlotName, ...PlotName[]];

export const tableNames = [...plotNames, "materiale"] as const;
type TableName = (typeof tableNames)[number];

const headsOf = (name: PlotName, first = "Måned") => [first, ...plots[name].series.map(({ label }) => label)];

/** In the order in which a patient comes to them. */
const waitGroups: HeadGroup[] = [...plots.ventetider.series]
  .reverse()
  .map(({ label }) => ({ label, parts: ["median", "90 %"] }));

export function plotTables(counted: Plots, settings: StatusSettings): Record<TableName, PlotTable> {
  return {
    henvisninger: {
      heads: headsOf("henvisninger"),
      rows: counted.referrals.months.map(({ month, normal, urgent }) => [showMonth(month), normal, urgent]),
    },
    ventetider: {
      heads: ["Måned", ...waitGroups.flatMap(({ label, parts }) => parts.map((part) => `${label}, ${part}`))],
      groups: waitGroups,
      rows: counted.waits.months.map(({ month, toTriage, toCallUp, toOperation }) => [
        showMonth(month),
        ...[toTriage, toCallUp, toOperation].flatMap(({ median, ninetiethPercentile }) => [
          median,
          ninetiethPercentile,
        ]),
      ]),
    },
    aabne: {
      heads: headsOf("aabne", "Status"),
      rows: counted.open.map(({ status, under7, to30, over30 }) => [
        visibleLabel(status, settings),
        under7,
        to30,
        over30,
      ]),
    },
    afbud: {
      heads: headsOf("afbud"),
      rows: counted.stopped.months.map(({ month, cancelled, notReached }) => [showMonth(month), cancelled, notReached]),
    },
    beskeder: {
      heads: headsOf("beskeder", "Kanal"),
      rows: counted.messages.map(({ channel, sent, notRegistered, failed, unknown }) => [
        channelLabels[channel],
        sent,
        notRegistered,
        failed,
        unknown,
      ]),
    },
    tavse: {
      heads: headsOf("tavse", "Uge"),
      rows: counted.silent.map(({ week, year, silent, stillSilent }) => [`${week}/${year}`, silent, stillSilent]),
    },
    materiale: {
      heads: ["Klinik", ...materialKinds.map(({ label }) => label), "I alt", "Henvisninger"],
      rows: counted.material.map(({ clinic, byKind, total, referrals }) => [
        clinic ?? "--",
        ...materialKinds.map(({ value }) => byKind[value] ?? 0),
        total,
        referrals,
      ]),
    },
  };
}
