import { Outlet } from "@remix-run/react";
import { columns, defaultSort } from "~/features/referrals/list/filters";
import { DataTable } from "~/lists/data-table";
import { parseSort } from "~/lists/sort";
import { paths } from "~/paths";
import { classNames } from "~/ui/layout/class-names";
import { overviewColumns, type RowsShown } from "./columns";
import { listQuery } from "~/components/overview-list/overview-list";

/** The list; the open referral stands in the place of its row. */
export function ReferralTable(shown: RowsShown) {
  const { list, openId } = shown;
  return (
    <div className="list">
      <DataTable
        caption="Henvisninger"
        wide
        className={list.maySetStatus ? "referrals" : "referrals referrals-read"}
        columns={overviewColumns(shown)}
        rows={list.rows}
        sort={parseSort(list.sort, columns, defaultSort)}
        sortTo={(sort) => `${paths.overview}?${listQuery({ f: list.f, sort })}`}
        rowClass={(row) =>
          classNames(row.isUrgent && "row-urgent", row.missesDentistId && row.id !== openId && "row-warn") || undefined
        }
        open={{ id: openId, content: <Outlet />, isRow: true }}
      />
    </div>
  );
}
