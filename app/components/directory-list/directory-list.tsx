import { Form, useLocation, useOutlet, useSearchParams } from "@remix-run/react";
import type { ReactNode } from "react";
import { PageHead } from "~/components/page-frame/page-frame";
import { picksParam } from "~/features/merging/merge-words";
import { type Here, hereOf } from "~/lists/list";
import { type ListedRow, ListPage, type ListPageProps, OpenName, openColumn } from "~/components/list/list-page";
import { CONTROLS, paths } from "~/paths";
import { Notice } from "~/ui/feedback/notice";
import { Button, DefaultIntent } from "~/ui/forms/button";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { breaksLong } from "~/ui/layout/class-names";
import { Verbatim } from "~/ui/layout/translation";
import { StateText, type Toned } from "~/ui/lists/chip";
import { ACTIVE, activityLabel } from "~/features/directory/activity";

interface Listed {
  f: string | null;
  sort: string;
  page: number;
  start: string | null;
  openId: number | null;
  picks: number[];
}

export const directoryHere = (path: string, { f, sort, page, start: fra, openId: aaben, picks }: Listed): Here =>
  hereOf(path, { f, sort, page, fra, aaben, valgt: picksParam(picks) });

interface DirectoryPageProps {
  title: string;
  mergePath: string;
  tools: ReactNode;
  children: ReactNode;
}

/** The page of users or clinics with the page that is opened over it; without JavaScript that is a page of its own. */
export function DirectoryPage({ title, mergePath, tools, children }: DirectoryPageProps) {
  const opened = useOutlet();
  const isMerging = useLocation().pathname === mergePath;
  const isHydrated = useHydrated();
  if (opened && !isHydrated) return opened;
  return (
    <>
      {!isMerging && opened}
      <div id={CONTROLS}>
        <PageHead title={title} tools={tools} />
      </div>
      {isMerging && opened}
      {children}
    </>
  );
}

interface DirectoryListProps<Row> extends Omit<ListPageProps<Row>, "alwaysResets" | "openId"> {
  openId: number | null;
}

export function DirectoryList<Row extends ListedRow>(props: DirectoryListProps<Row>) {
  const [query] = useSearchParams();
  return (
    <>
      {query.has("aaben") && props.openId === null && (
        <Notice kind="info">
          Den {props.one}, som linket åbner, står ikke på denne side af listen. Søg efter den, eller vælg »Reset
          filtre«.
        </Notice>
      )}
      <ListPage {...props} alwaysResets />
    </>
  );
}

interface RowNameProps {
  row: { id: number; name: string; mergedInto: string | null };
  openId: number | null;
  here: Here;
}

export const RowName = ({ row, openId, here }: RowNameProps) => (
  <>
    <OpenName row={row} openId={openId} here={here} className={breaksLong(row.name)}>
      {row.name || "Ingen data..."}
    </OpenName>
    {row.mergedInto !== null && <span className="meta block break-anywhere">Samlet med {row.mergedInto}</span>}
  </>
);

export const ActivityText = ({ state }: { state: Toned }) =>
  state.tone === "ok" ? <>{state.label}</> : <StateText state={state} />;

export const openNameColumn = <Row extends { id: number; name: string }>(openId: number | null, here: Here) =>
  openColumn<Row>(openId, here, ({ name }) => <Verbatim>{name}</Verbatim>);

/** The overview's filter as a form, so that the person is not in the address. */
export function ReferralsOf({ user: { id, name } }: { user: { id: number; name: string } }) {
  return (
    <Form method="post" action={paths.overview} className="mt-4">
      <DefaultIntent value="applyFilter" />
      <input type="hidden" name="referrerId" value={id} />
      <input type="hidden" name="statusesAll" value="on" />
      <Button value="applyFilter" size="small" aria-label={`Se henvisninger fra ${name}`}>
        Se henvisninger
      </Button>
    </Form>
  );
}

export const activityState = (status: number): Toned => ({
  label: activityLabel(status),
  ...(status === ACTIVE ? ({ tone: "ok", icon: "done" } as const) : ({ tone: "closed", icon: "pause" } as const)),
});
