import { Outlet } from "@remix-run/react";
import { Fragment } from "react";
import { columns, defaultSort } from "~/features/referrals/filters";
import { unpackRow } from "~/features/referrals/list-row";
import { directionOf, parseSort, sortByClick, sortParam } from "~/features/referrals/list-sort";
import { paths } from "~/paths";
import { SortHead, Table } from "~/ui/table";
import { PickPage } from "./mass-bar";
import { listQuery } from "./overview-list";
import { rowMarkup, type RowsShown } from "./row-markup";
import { useRowForms } from "./use-row-forms";

/** Begins with A, not Z. */
const NAME = 3;

/** The list; the open referral stands in it, under its own row. */
export function ReferralTable(shown: RowsShown) {
  const { list, openId } = shown;
  const sort = parseSort(list.sort, columns, defaultSort);
  return (
    <div ref={useRowForms()}>
      <Table caption="Henvisninger" wide className={list.isStaff ? "referrals" : "referrals referrals-read"}>
        <thead>
          <tr>
            {list.isStaff && (
              <th scope="col">
                <PickPage />
              </th>
            )}
            {columns.map(({ key, label }) => (
              <SortHead
                key={key}
                label={label}
                to={`${paths.overview}?${listQuery({ f: list.f, sort: sortParam(sortByClick(sort, key, key === NAME)) })}`}
                direction={directionOf(sort, key)}
              />
            ))}
            {list.isStaff && <th scope="col">Eksport</th>}
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
          {list.rows.map(unpackRow).map((row) => (
            <Fragment key={row.id}>
              <tr
                id={`r${row.id}`}
                className={row.id === openId ? "row-on" : row.missesDentistId ? "row-warn" : undefined}
                dangerouslySetInnerHTML={{ __html: rowMarkup(row, shown) }}
              />
              {row.id === openId && (
                <tr className="open-referral">
                  <td colSpan={columns.length + (list.isStaff ? 7 : 4)}>
                    <Outlet />
                  </td>
                </tr>
              )}
            </Fragment>
          ))}
        </tbody>
      </Table>
    </div>
  );
}
