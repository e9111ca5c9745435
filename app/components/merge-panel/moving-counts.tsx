import type { MergeColumn } from "./merge-values";

export function MovingCounts({ column: { knownAs, moving } }: { column: MergeColumn }) {
  return (
    <div className="mb-4">
      <h3 className="mb-2 break-anywhere">Det flyttes fra {knownAs}</h3>
      <ul className="flex flex-wrap -mx-3">
        {moving.map(({ count, what }) => (
          <li key={what} className="mx-3 mb-1">
            <b className="block text-[18px] leading-6">{count}</b>
            <span className="meta">{what}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
