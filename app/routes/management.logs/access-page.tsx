import type { SerializeFrom } from "@remix-run/node";
import { accessView } from "~/features/audit-log/access-list";
import type { AccessPage } from "~/features/audit-log/access-list.server";
import { auditWords, roleWords } from "~/features/audit-log/words/audit-words";
import { ActiveFilters, FilterPanel } from "~/components/list/filter-panel";
import { presentFilter } from "~/lists/filters";
import { paths } from "~/paths";
import { showShortDateTime } from "~/text/dates";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { buttonClass } from "~/ui/forms/button";
import { Icon } from "~/ui/icons/icon";
import { Verbatim } from "~/ui/layout/translation";
import { Pager } from "~/ui/lists/pager";
import { type PlainColumn, PlainTable } from "~/ui/lists/plain-table";
import { NO_DATA } from "./log-panel";

type Values = SerializeFrom<AccessPage>;
type ShownAccess = ReturnType<typeof presentAccess>;
type AccessRow = ShownAccess["rows"][number];

const outcomes: Readonly<Record<string, string>> = { seen: "Set", done: "Gjort", refused: "Afvist" };

export const presentAccess = (list: Values) => ({
  ...list,
  ...presentFilter(accessView.filters, list),
  /** The patient's document needs a whole CPR number. */
  hasPatient: list.filter.cpr?.includes("-") ?? false,
  rows: folded(list.rows.map(presentRow)),
});

const presentRow = ({
  id,
  at,
  actorKind,
  role,
  name,
  keyName,
  userName,
  operation,
  subjectUserName,
  outcome,
  referrals,
  hasMore,
}: Values["rows"][number]) => ({
  id,
  at: { iso: at, text: showShortDateTime(at) },
  who: whoOf({ name, userName, keyName }) ?? roleWords(actorKind, role),
  role: roleWords(actorKind, role),
  ...auditWords(operation),
  about: subjectUserName,
  outcome: outcomes[outcome] ?? outcome,
  isRefused: outcome === "refused",
  referrals,
  more: hasMore ? " og flere" : "",
  noReferral: NO_DATA,
});

const FOLDED_WITHIN_MS = 10 * 60_000;

/** Merges what one person did repeatedly within ten minutes, about the same referrals, into one row with a count. */
function folded(rows: readonly ReturnType<typeof presentRow>[]) {
  const latest = new Map<string, ReturnType<typeof presentRow> & { times: number }>();
  return rows.flatMap((row) => {
    const key = JSON.stringify([row.who, row.what, row.about, row.outcome, row.referrals]);
    const line = latest.get(key);
    if (line && Date.parse(line.at.iso) - Date.parse(row.at.iso) < FOLDED_WITHIN_MS) {
      line.times += 1;
      return [];
    }
    const begun = { ...row, times: 1 };
    latest.set(key, begun);
    return [begun];
  });
}

function whoOf({ name, userName, keyName }: Pick<Values["rows"][number], "name" | "userName" | "keyName">) {
  if (keyName !== null) return `API-nøgle: ${keyName}`;
  return name === null ? null : `${name} (${userName ?? ""})`;
}

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
    cell: ({ what, about, times }) => (
      <span>
        {what}
        {about !== null && (
          <>
            {" "}
            (<Verbatim>{about}</Verbatim>)
          </>
        )}
        {times > 1 && <span className="meta"> ×{times}</span>}
      </span>
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
      <FilterPanel list={list} view={accessView} action={paths.accessLog()} choices={{}} showsMore />
      <div className="flex flex-wrap items-center justify-between mt-4">
        <h2 className="m-0">ADGANG</h2>
        <ActiveFilters active={list.active} resetTo={paths.accessLog()} chipTo={(f) => paths.accessLog(f)} />
        {list.hasPatient && list.f !== null && (
          <a href={paths.accessInsight(list.f)} className={buttonClass({ size: "small" })} data-file="">
            <Icon name="pdf" size={18} className="mr-2" />
            Indsigt i log
          </a>
        )}
      </div>
      <p className="meta mt-1 mb-3">
        <a href={paths.accessSample}>Månedens stikprøve</a> ·{" "}
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
          <div className="list-foot">
            <Pager page={list.page} pageCount={list.pageCount} href={here} label="Sider" />
          </div>
        </>
      )}
    </>
  );
}
