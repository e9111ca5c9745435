import type { Here } from "~/components/directory-list/directory-list";
import { mergeColumn } from "~/components/merge-panel/merge-mark";
import { MergedLine, OpeningMark, OpeningName } from "~/components/directory-list/open-row";
import { userColumns } from "~/features/people/user-columns";
import type { Column } from "~/lists/data-table";
import { Badge, StateText } from "~/ui/lists/chip";
import { breaksLong } from "~/ui/layout/class-names";
import type { ListedUser } from "./present";

interface ColumnsFor {
  openId: number | null;
  picks: number[];
  mayMerge: boolean;
}

export function columns({ openId, picks, mayMerge }: ColumnsFor, here: Here): Column<ListedUser>[] {
  const [userName, created] = userColumns;
  return [
    {
      label: "Navn",
      className: "c-first table:min-w-[150px]",
      isRowHeader: true,
      cell: (row) => (
        <>
          <OpeningName row={row} openId={openId} here={here} />
          <MergedLine into={row.mergedInto} />
        </>
      ),
    },
    { label: userName.label, isVerbatim: true, sort: userName, cell: (row) => row.userName },
    { label: "Klinik", isVerbatim: true, cell: ({ clinics }) => <Clinics names={clinics} /> },
    { label: "Rolle", cell: ({ role }) => role },
    {
      label: "Status",
      isPlain: true,
      cell: ({ state, hasLeft }) => (
        <>
          <StateText state={state} />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    {
      label: created.label,
      sort: created,
      cell: ({ createdOn, createdAt }) => <time dateTime={createdAt}>{createdOn}</time>,
    },
    ...(mayMerge ? [mergeColumn<ListedUser>(picks, here)] : []),
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => <OpeningMark row={row} openId={openId} here={here} />,
    },
  ];
}

/** The first clinic and the number of others; all by pointer and screen reader. */
function Clinics({ names: [first, ...more] }: { names: string[] }) {
  if (first === undefined) return <span className="meta">Ingen data...</span>;
  if (more.length === 0) return <span className={breaksLong(first)}>{first}</span>;
  return (
    <span title={[first, ...more].join(", ")} className={breaksLong(first)}>
      {first} <Badge>+{more.length}</Badge>
      <span className="sr-only">: {more.join(", ")}</span>
    </span>
  );
}
