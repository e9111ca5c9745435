import { gridOf, resultCell } from "~/components/merge-panel/grid";

interface MemberRowProps {
  columns: { id: number; members: { id: number; name: string }[] }[];
  total: number;
}

export function MemberRow({ columns, total }: MemberRowProps) {
  return (
    <div className={gridOf(columns)} role="group" aria-label="Henvisere/brugere">
      <div className="px-4 pt-2 table:py-3 font-semibold table:font-normal table:text-ink2">
        Henvisere/
        <wbr />
        brugere
      </div>
      {columns.map(({ id, members }) => (
        <div key={id} className="px-4 py-2 table:py-3 min-w-0">
          <b>{members.length}</b>
          <p className="meta break-anywhere">{members.map(({ name }) => name || "Uden navn").join(", ")}</p>
        </div>
      ))}
      <div className={resultCell}>
        <b>{total}</b> <span className="meta">i alt, hver én gang</span>
      </div>
    </div>
  );
}
