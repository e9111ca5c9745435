import type { Here } from "~/components/directory-list/directory-list";
import { mergeColumn } from "~/components/merge-panel/merge-mark";
import { MergedLine, OpeningMark, OpeningName } from "~/components/directory-list/open-row";
import type { Column } from "~/lists/data-table";
import { StateText } from "~/ui/lists/chip";
import type { ListedClinic } from "./present";

const heads = {
  staff: { name: "Titel", status: "Status", members: "Henvisere", city: "By", phone: "Telefon", email: "Email" },
  others: { name: "Title", status: "Status", members: "Employees", city: "City", phone: "Phone", email: "Email" },
};

interface ColumnsFor {
  openId: number | null;
  here: Here;
  isStaffs: boolean;
  picks: number[];
  mayMerge: boolean;
  pickHere: Here;
}

export function columns({ openId, here, isStaffs, picks, mayMerge, pickHere }: ColumnsFor): Column<ListedClinic>[] {
  const head = heads[isStaffs ? "staff" : "others"];
  return [
    {
      label: head.name,
      className: "c-first table:min-w-[180px]",
      isRowHeader: true,
      cell: (row) => (
        <>
          <OpeningName row={row} openId={openId} here={here} />
          <MergedLine into={row.mergedInto} />
        </>
      ),
    },
    {
      label: head.status,
      isPlain: true,
      cell: ({ state, hasLeft }) => (
        <>
          <StateText state={state} />
          {hasLeft && <span className="meta"> Ikke længere i filteret</span>}
        </>
      ),
    },
    { label: head.members, cell: ({ memberCount }) => memberCount },
    { label: head.city, isVerbatim: true, cell: ({ city }) => city },
    { label: head.phone, isVerbatim: true, cell: ({ phone }) => phone },
    { label: head.email, isVerbatim: true, cell: ({ email }) => <span className="break-all">{email}</span> },
    ...(mayMerge ? [mergeColumn<ListedClinic>(picks, pickHere)] : []),
    {
      label: "Åbn",
      isLabelHidden: true,
      className: "c-open",
      cell: (row) => <OpeningMark row={row} openId={openId} here={here} />,
    },
  ];
}
