import { leftLines } from "~/features/merging/merge-words";
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
