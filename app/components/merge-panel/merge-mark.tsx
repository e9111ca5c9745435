import { Link, useLocation, useNavigation } from "@remix-run/react";
import type { Here } from "~/components/directory-list/directory-list";
import type { Column } from "~/lists/data-table";
import { picksIn, picksParam } from "~/features/merging/merge-form";
import { Icon } from "~/ui/icons/icon";

interface MergeMarkProps {
  row: { id: number; name: string; pick: "picked" | "possible" | null };
  picks: number[];
  here: Here;
}

/** What is picked by now: a press counts before its page has come, or a second one at once would take it back. */
function useNewestPicks(shown: number[]): number[] {
  const { pathname } = useLocation();
  const next = useNavigation().location;
  return next?.pathname === pathname ? picksIn(new URLSearchParams(next.search).get("valgt")) : shown;
}

/** The mark of a row that is picked for a merge, or may be; pressing it again unpicks. */
export function MergeMark({ row, picks: shown, here }: MergeMarkProps) {
  const picks = useNewestPicks(shown);
  if (row.pick === null) return null;
  const isPicked = picks.includes(row.id);
  const next = isPicked ? picks.filter((id) => id !== row.id) : [...picks, row.id];
  return (
    <Link
      className="mark"
      to={`${here({ valgt: picksParam(next) })}#r${row.id}`}
      preventScrollReset
      aria-pressed={isPicked}
      role="button"
    >
      <Icon name={isPicked ? "picked" : "merge"} />
      <span className="sr-only">
        {isPicked ? "Fravælg" : "Vælg"} {row.name} til fusionering
      </span>
    </Link>
  );
}

/** The column of those marks, before the one that opens the row. */
export const mergeColumn = <Row extends MergeMarkProps["row"]>(picks: number[], here: Here): Column<Row> => ({
  label: "Fusioner",
  className: "c-merge",
  cell: (row) => <MergeMark row={row} picks={picks} here={here} />,
});
