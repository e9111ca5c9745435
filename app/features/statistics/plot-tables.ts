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

export const plotNames = ["henvisninger", "ventetider", "afbud", "beskeder", "tavse", "aabne"] as const;
export type PlotName = (typeof plotNames)[number];

export const tableNames = [...plotNames, "materiale"] as const;
type TableName = (typeof tableNames)[number];

export const plotTitles: Readonly<Record<PlotName, string>> = {
  henvisninger: "Henvisninger pr. måned",
  ventetider: "Dage fra henvisning",
  aabne: "Her står de åbne henvisninger",
  afbud: "Afbud og patienter, der ikke kunne træffes",
  beskeder: "Beskeder til patienter og henvisere",
  tavse: "Tavse henvisninger pr. uge",
};

const monthHead = "Måned";

const waitGroups: HeadGroup[] = ["Til visitering", "Til indkaldelse", "Til operation"].map((label) => ({
  label,
  parts: ["median", "90 %"],
}));

export function plotTables(plots: Plots, settings: StatusSettings): Record<TableName, PlotTable> {
  return {
    henvisninger: {
      heads: [monthHead, "Almindelig", "Haste henvisning"],
      rows: plots.referrals.months.map(({ month, normal, urgent }) => [showMonth(month), normal, urgent]),
    },
    ventetider: {
      heads: [monthHead, ...waitGroups.flatMap(({ label, parts }) => parts.map((part) => `${label}, ${part}`))],
      groups: waitGroups,
      rows: plots.waits.months.map(({ month, toTriage, toCallUp, toOperation }) => [
        showMonth(month),
        ...[toTriage, toCallUp, toOperation].flatMap(({ median, ninetiethPercentile }) => [
          median,
          ninetiethPercentile,
        ]),
      ]),
    },
    aabne: {
      heads: ["Status", "Under 7 dage", "7–30 dage", "Over 30 dage"],
      rows: plots.open.map(({ status, under7, to30, over30 }) => [
        visibleLabel(status, settings),
        under7,
        to30,
        over30,
      ]),
    },
    afbud: {
      heads: [monthHead, "Afbud", "Ikke truffet"],
      rows: plots.stopped.months.map(({ month, cancelled, notReached }) => [showMonth(month), cancelled, notReached]),
    },
    beskeder: {
      heads: ["Kanal", "Kom frem", "Ikke tilmeldt e-Boks", "Fejlede", "Ukendt"],
      rows: plots.messages.map(({ channel, sent, notRegistered, failed, unknown }) => [
        channelLabels[channel],
        sent,
        notRegistered,
        failed,
        unknown,
      ]),
    },
    tavse: {
      heads: ["Uge", "Tavse i ugen", "Stadig tavse ved ugens slutning"],
      rows: plots.silent.map(({ week, year, silent, stillSilent }) => [`${week}/${year}`, silent, stillSilent]),
    },
    materiale: {
      heads: ["Klinik", ...materialKinds.map(({ label }) => label), "I alt", "Henvisninger"],
      rows: plots.material.map(({ clinic, byKind, total, referrals }) => [
        clinic ?? "--",
        ...materialKinds.map(({ value }) => byKind[value] ?? 0),
        total,
        referrals,
      ]),
    },
  };
}
