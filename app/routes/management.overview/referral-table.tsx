import { Outlet } from "@remix-run/react";
import { type Sort, type SortKey, parseSort, sortParam } from "~/features/referrals/filters";
import { paths } from "~/paths";
import { SortHead, Table } from "~/ui/table";
import type { OverviewList } from "./overview-list";
import { useInPlace } from "./use-in-place";
import { ReferralRow } from "./referral-row";

const columns: readonly { key: SortKey; label: string }[] = [
  { key: 1, label: "Nr." },
  { key: 2, label: "CPR-nummer" },
  { key: 3, label: "Patient navn" },
  { key: 4, label: "Alder" },
  { key: 5, label: "Dato" },
  { key: 7, label: "Status" },
];

interface ReferralTableProps {
  list: OverviewList;
  openId: number | null;
  search: string;
  /** The row form whose change was refused. */
  refusedForm: string | null;
}

/** The list; the open referral stands in it, under its own row. */
export function ReferralTable({ list, openId, search, refusedForm }: ReferralTableProps) {
  const sort = parseSort(list.sort);
  const width = columns.length + (list.isStaff ? 7 : 4);
  return (
    <div ref={useInPlace()}>
      <Table caption="Henvisninger" wide className="referrals">
        <thead>
          <tr>
            {columns.map(({ key, label }) => (
              <SortHead key={key} label={label} to={sortHref(list.f, sort, key)} direction={sort.key === key ? (sort.ascending ? "ascending" : "descending") : undefined} />
            ))}
            {list.isStaff && (
              <>
                <th scope="col">
                  <span className="vh">Gem</span>
                </th>
                <th scope="col">Eksport</th>
              </>
            )}
            <th scope="col">Besked</th>
            <th scope="col">Haster</th>
            {list.isStaff && <th scope="col">Røntgen</th>}
            <th scope="col">PDF</th>
            <th scope="col">
              <span className="vh">Åbn</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {list.rows.map((row) => (
            <ReferralRow key={row.id} row={row} list={list} isOpen={row.id === openId} search={search} wasRefused={refusedForm === `status-${row.id}`}>
              {row.id === openId && (
                <tr className="open-referral">
                  <td colSpan={width}>
                    <Outlet />
                  </td>
                </tr>
              )}
            </ReferralRow>
          ))}
        </tbody>
      </Table>
    </div>
  );
}

/** A second click on the same head turns the order. */
function sortHref(f: string | null, sort: Sort, key: SortKey): string {
  const next = { key, ascending: sort.key === key ? !sort.ascending : key === 3 };
  const query = new URLSearchParams({ ...(f ? { f } : {}), sort: sortParam(next) });
  return `${paths.overview}?${query.toString()}`;
}
