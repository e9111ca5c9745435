import { leftLines, picksParam } from "~/features/merging/merge-words";
import { showDate } from "~/text/dates";
import { showCount } from "~/text/numbers";
import type { ShownMerge } from "./merge-tools";

interface Merge {
  id: number;
  hasWon: boolean;
  winner: string;
  losers: string[];
  state: "moving" | "done" | "undoing" | "undone";
  at: string;
  undoneAt: string | null;
  mayUndo: boolean;
  left: { place: string; id: number }[];
}

export const presentMerges = (merges: Merge[] | null): ShownMerge[] =>
  (merges ?? []).map((merge) => ({
    id: merge.id,
    text: `${showDate(merge.at)}: ${merge.losers.join(" og ")} ${merge.hasWon ? "er samlet ind i denne" : `er samlet med ${merge.winner}`}.${merge.state === "moving" ? " Flyttes i baggrunden." : ""}`,
    undone:
      merge.undoneAt &&
      `Fortrudt ${showDate(merge.undoneAt)}.${merge.state === "undoing" ? " Flyttes tilbage i baggrunden." : ""}`,
    left: leftLines(merge.left),
    mayUndo: merge.mayUndo,
  }));

export function presentMoving(moving: Record<string, number>, max: number) {
  const words: Record<string, [string, string]> = {
    referrals: ["henvisning", "henvisninger"],
    drafts: ["kladde", "kladder"],
    messages: ["besked", "beskeder"],
    letters: ["udskrivningsbrev", "udskrivningsbreve"],
    members: ["medlem", "medlemmer"],
  };
  return Object.entries(moving).map(([key, n]) => ({
    count: n >= max ? `${showCount(max)}+` : showCount(n),
    what: words[key]![n === 1 ? 0 : 1],
  }));
}

export function panelQuery(request: Request) {
  const query = new URL(request.url).searchParams;
  return { picks: query.get("valgt"), allOf: query.get("alle") };
}

export function panelPaths(list: string, panel: string, search: string, columns: { id: number }[]) {
  const to = (path: string, change: Record<string, string | null>) => {
    const query = new URLSearchParams(search);
    query.delete("alle");
    for (const [name, value] of Object.entries(change))
      if (value === null) query.delete(name);
      else query.set(name, value);
    return `${path}?${query.toString()}`;
  };
  return {
    closeTo: to(list, {}),
    without: (id: number) => {
      const rest = columns.flatMap((column) => (column.id === id ? [] : [column.id]));
      return to(rest.length > 1 ? panel : list, { valgt: picksParam(rest) });
    },
    allOfTo: (id: number) => to(panel, { alle: String(id) }),
  };
}
