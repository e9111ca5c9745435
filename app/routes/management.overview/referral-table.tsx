import { Outlet } from "@remix-run/react";
import type { MouseEvent } from "react";
import { columns, defaultSort } from "~/features/referrals/list/filters";
import { DataTable } from "~/lists/data-table";
import { parseSort } from "~/lists/sort";
import { usePageTicket } from "~/http/forms/use-ticket";
import { useSubmitForm } from "~/http/forms/use-submit-form";
import { paths } from "~/paths";
import { classNames } from "~/ui/layout/class-names";
import { overviewColumns, type RowsShown } from "./columns";
import { buildListQuery } from "~/components/overview-list/overview-list";

function openRow({ target }: MouseEvent) {
  if (!(target instanceof Element) || target.closest("a, button, input, select, label, article")) return;
  if (window.getSelection()?.isCollapsed === false) return;
  target.closest("tr")?.querySelector<HTMLElement>(".c-name a")?.click();
}

export function ReferralTable(given: Omit<RowsShown, "ticket">) {
  const { list, openId } = given;
  const shown = { ...given, ticket: usePageTicket() };
  return (
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-static-element-interactions -- a shortcut of the pointer to the link in the row, which has the keyboard
    <div className="list" onClick={openRow}>
      <DataTable
        caption="Henvisninger"
        className={list.maySetStatus ? "referrals" : "referrals referrals-read"}
        columns={overviewColumns(shown, useSubmitForm())}
        rows={list.rows}
        sort={parseSort(list.sort, columns, defaultSort)}
        sortTo={(sort) => `${paths.overview}?${buildListQuery({ f: list.f, sort })}`}
        rowClass={(row) =>
          classNames(row.isUrgent && "row-urgent", row.missesDentistId && row.id !== openId && "row-warn") || undefined
        }
        open={{ id: openId, content: <Outlet />, isRow: true }}
      />
    </div>
  );
}
