import { accessFilters } from "~/features/audit-log/access-filters";
import { FilterPanel } from "~/lists/filter-panel";
import { paths } from "~/paths";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { Verbatim } from "~/ui/layout/translation";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import type { AccessRow, ShownAccess } from "./present-access";

const columns: readonly PlainColumn<AccessRow>[] = [
  {
    label: "Tidspunkt",
    cell: ({ at }) => (
      <time dateTime={at.iso} className="whitespace-nowrap">
        {at.text}
      </time>
    ),
  },
  { label: "Hvem", isVerbatim: true, cell: ({ who }) => who },
  { label: "Rolle", cell: ({ role }) => role },
  {
    label: "Hvad",
    cell: ({ what, about }) =>
      about === null ? (
        what
      ) : (
        <>
          {what} (<Verbatim>{about}</Verbatim>)
        </>
      ),
  },
  { label: "Formål", cell: ({ purpose }) => purpose },
  { label: "Udfald", cell: ({ outcome, isRefused }) => (isRefused ? <b className="text-err">{outcome}</b> : outcome) },
  {
    label: "Nr.",
    isVerbatim: true,
    cell: ({ referrals, more, noReferral }) =>
      referrals.length === 0 ? (
        noReferral
      ) : (
        <span>
          {referrals.map((id, index) => (
            <span key={id}>
              {index > 0 && ", "}
              <a href={paths.referral(id)}>{id}</a>
            </span>
          ))}
          {more}
        </span>
      ),
  },
];

export function AccessPage({ list, isLoading }: { list: ShownAccess; isLoading: boolean }) {
  const here = (page: number) => {
    const cursor = page === 1 ? null : page > list.page ? list.end : list.start;
    return paths.accessLog(list.f ?? "", { page, ...(cursor === null ? {} : { fra: cursor }) });
  };
  return (
    <>
      {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
      <FilterPanel
        list={list}
        definitions={accessFilters}
        intent="filterAccess"
        action={paths.accessLog()}
        resetTo={paths.accessLog()}
        chipTo={(f) => paths.accessLog(f)}
        choices={{}}
        showsMore
      />
      <div className="flex flex-wrap items-center justify-between mt-4">
        <h2 className="m-0">ADGANG</h2>
        {list.hasPatient && list.f !== null && (
          <a href={paths.accessInsight(list.f)} className={buttonClass({ size: "small" })} data-file="">
            <Icon name="pdf" size={18} className="mr-2" />
            Indsigt i log
          </a>
        )}
      </div>
      <p className="meta mt-1 mb-3">
        {list.hasPatient
          ? "Indsigt i log er til patienten: dato, formål og rolle, ingen navne."
          : "Søg efter et helt CPR-nummer for at danne Indsigt i log til patienten."}
      </p>
      {isLoading ? (
        <p role="status">Loading... Please wait</p>
      ) : list.rows.length === 0 ? (
        <EmptyState why="Ingen har set eller ændret noget, der passer." />
      ) : (
        <>
          <PlainTable caption="Adgang" columns={columns} rows={list.rows} keyOf={({ id }) => id} wide />
          <div className="list-foot mt-3">
            <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
          </div>
        </>
      )}
    </>
  );
}
