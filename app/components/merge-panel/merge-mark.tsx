import { Link } from "@remix-run/react";
import type { Here } from "~/components/directory-list/directory-list";
import type { Column } from "~/lists/data-table";
import { picksIn, picksParam } from "~/features/merging/merge-form";
import { useUpcomingQuery } from "~/ui/hooks/use-upcoming-query";
import { Icon } from "~/ui/icons/icon";
import { Verbatim } from "~/ui/layout/translation";

interface MergeMarkProps {
  row: { id: number; name: string; pick: "picked" | "possible" | null };
  picks: number[];
  here: Here;
}

export function MergeMark({ row, picks: shown, here }: MergeMarkProps) {
  const upcoming = useUpcomingQuery();
  const picks = upcoming ? picksIn(upcoming.get("valgt")) : shown;
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
        {isPicked ? "Fravælg" : "Vælg"} <Verbatim>{row.name}</Verbatim> til fusionering
      </span>
    </Link>
  );
}

export const mergeColumn = <Row extends MergeMarkProps["row"]>(picks: number[], here: Here): Column<Row> => ({
  label: "Fusioner",
  className: "c-merge",
  cell: (row) => <MergeMark row={row} picks={picks} here={here} />,
});
