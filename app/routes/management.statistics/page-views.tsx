import { Disclosure } from "~/ui/layout/disclosure";
import { PlainTable } from "~/ui/lists/plain-table";
import type { Statistics } from "./present";

export function PageViews({ page: { pageViews } }: { page: Statistics }) {
  return (
    <Disclosure title="Sidevisninger" note="Uden cookies og adresser" className="mt-4">
      {pageViews.length === 0 ? (
        <p className="meta">Ingen data...</p>
      ) : (
        <PlainTable
          caption="Sidevisninger"
          columns={[
            { label: "Side", cell: (row) => row.page },
            { label: "Rolle", cell: (row) => row.role },
            { label: "Antal visninger", cell: (row) => row.count },
          ]}
          rows={pageViews}
          keyOf={(row) => `${row.page} ${row.role}`}
        />
      )}
    </Disclosure>
  );
}
