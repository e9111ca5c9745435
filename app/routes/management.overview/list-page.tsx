import { Outlet, useLocation, useNavigation, useParams, useRouteLoaderData } from "@remix-run/react";
import { type MouseEvent, useEffect, useRef } from "react";
import { buildListQuery, type OverviewList, pageQuery, statusesOf } from "~/components/overview-list/overview-list";
import { PageHead, StickyBar } from "~/components/page-frame/page-frame";
import { isAllPicked, usePicked } from "~/components/picked-rows/picked-rows";
import {
  type RowSaveState,
  rowSaveState,
  type ShellMemory,
  useLastSent,
} from "~/components/status-form/row-save-state";
import { filters, overviewView } from "~/features/referrals/list/filters";
import { AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { ActionForm, useBusy } from "~/http/forms/action-form";
import type { ActionResult } from "~/http/forms/action-result";
import { useActionResult, useSettledActionData, usePageTicket } from "~/http/forms/use-action-result";
import { useSubmitForm } from "~/http/forms/use-submit-form";
import { DataTable } from "~/components/list/data-table";
import { ActiveFilters, FilterPanel } from "~/components/list/filter-panel";
import { FilterReset, ListHead } from "~/components/list/list-page";
import { parseSort } from "~/lists/list";
import { paths } from "~/paths";
import { showCount } from "~/text/numbers";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { Button, ButtonLink, IconButton } from "~/ui/forms/button";
import { SelectField } from "~/ui/forms/fields";
import { useHydrated } from "~/ui/hooks/use-hydrated";
import { classNames } from "~/ui/layout/class-names";
import { Pager } from "~/ui/lists/pager";
import { overviewColumns, type RowsShown } from "./columns";
import {
  MassChangeNotice,
  queueItems,
  Reminders,
  StatusMeanings,
  UrgentDrafts,
  UrgentLetters,
  useEdiWaiting,
} from "./notices";
import type { ShownList } from "./present";
import { ReferrerFilter } from "./referrer-filter";

function ExportTools({ here }: { here: string }) {
  const isBusy = useBusy("runEdiImport") === "working";
  return (
    <>
      <ActionForm operation="runEdiImport" action={here} preventScrollReset className="inline-block">
        <Button value="runEdiImport" variant="plain" size="small" fit="tight" aria-disabled={isBusy || undefined}>
          EDI-import
        </Button>
      </ActionForm>
      <Button value="askExport" form="mass" variant="plain" size="small" fit="tight" className="-mr-[9px]">
        Eksport
      </Button>
    </>
  );
}

interface MoreFilters {
  choices: NonNullable<OverviewList["choices"]>;
  search?: string;
  referrers?: { value: number; label: string; hint?: string }[];
}

function OverviewFilterPanel({ list, isFolded }: { list: ShownList; isFolded: boolean }) {
  const answer = useSettledActionData();
  const found = answer?.formId === "applyFilter" ? (answer.data as MoreFilters | undefined) : undefined;
  const choices = list.choices ?? found?.choices ?? null;
  return (
    <FilterPanel
      list={list}
      view={overviewView}
      action={`${paths.overview}?${buildListQuery(list, choices ? { flere: 1 } : {})}`}
      isFolded={isFolded}
      choices={{
        ...choices,
        statuses: statusesOf(list),
        tickedStatuses: list.statuses,
        renderReferrerSearch: (fields) => (
          <ReferrerFilter
            label={filters.referrerId.label}
            chosen={choices?.chosenReferrer ?? null}
            found={found}
            value={fields.referrerId?.defaultValue}
            typed={fields.search?.defaultValue}
            typedText={fields.referrerIdText?.defaultValue}
            error={fields.referrerId?.errors}
          />
        ),
      }}
      showsMore={choices !== null}
      more={<IconButton value="moreFilters" variant="outline" size="compact" icon="filter" label="Flere filtre" />}
    />
  );
}

/**
 * Bar of the mass update at the foot. With JavaScript shown with the number when rows are picked; without, always
 * (above the list where CSS can detect picks). Changing all matches is confirmed on its own page.
 */
function MassBar({ list, here, isReading }: { list: ShownList; here: string; isReading: boolean }) {
  const { picked, pickAll } = usePicked();
  const hydrated = useHydrated();
  const isBusy = useNavigation().formData?.get("intent") === "setStatuses";
  // The export button above belongs to this form.
  if (list.total === 0) {
    return (
      <ActionForm id="mass" operation="askExport" action={here}>
        <input type="hidden" name="f" value={list.f ?? ""} />
      </ActionForm>
    );
  }
  return (
    <StickyBar
      label="Skift status på flere"
      still={picked === 0 && (hydrated || isReading)}
      className={hydrated ? undefined : "until-picked"}
    >
      <ActionForm
        operation="setStatuses"
        others={["askExport"]}
        action={here}
        id="mass"
        autoComplete="off"
        className="row"
        preventScrollReset
      >
        <input type="hidden" name="f" value={list.f ?? ""} />
        <b aria-live="polite" className="hidden scripts:block min-w-16">
          {picked} valgt
        </b>
        {hydrated && picked > 0 && (
          <Button type="button" variant="plain" fit="tight" onClick={() => pickAll(false)}>
            Fravælg alle
          </Button>
        )}
        <SelectField
          name="status"
          id="mass-status"
          label="Ny status"
          choices={statusesOf(list)}
          defaultValue={AWAITING_TRIAGE}
          className="mass-status"
        />
        <Button
          value="setStatuses"
          variant={picked > 0 || !hydrated ? "primary" : "outline"}
          state={isBusy ? "working" : "ready"}
          disabled={hydrated && picked === 0}
        >
          Skift status på <span className="scripts:hidden">de valgte</span>
          <span className="hidden scripts:inline">{picked}</span>
        </Button>
        <Button value="askExport" variant="plain" fit="tight" disabled={hydrated && picked === 0}>
          Eksportér valgte
        </Button>
        {(!hydrated || (isAllPicked(picked) && picked < list.total)) && (
          <a
            href={paths.massChange + queryOf(here)}
            className={hydrated ? undefined : "scripts:hidden"}
            data-keep-scroll=""
          >
            {list.total === 1
              ? "Vælg den ene i filteret"
              : `Vælg alle ${list.isMore ? "over " : ""}${showCount(list.total)} i filteret`}
          </a>
        )}
      </ActionForm>
    </StickyBar>
  );
}

/** Query of the list, so that the confirmation returns to its page. */
const queryOf = (here: string) => (here.includes("?") ? here.slice(here.indexOf("?")) : "");

function openRow({ target }: MouseEvent) {
  if (!(target instanceof Element) || target.closest("a, button, input, select, label, article")) return;
  if (window.getSelection()?.isCollapsed === false) return;
  target.closest("tr")?.querySelector<HTMLElement>(".c-name a")?.click();
}

function ReferralTable(given: Omit<RowsShown, "ticket">) {
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
        sort={parseSort(list.sort, overviewView)}
        sortTo={(sort) => `${paths.overview}?${buildListQuery({ f: list.f, sort })}`}
        rowClass={(row) =>
          classNames(row.isUrgent && "row-urgent", row.missesDentistId && row.id !== openId && "row-warn") || undefined
        }
        open={{ id: openId, content: <Outlet />, isRow: true }}
      />
    </div>
  );
}

/** Moves focus to the row of a closed referral, or to the list if it has gone. */
function useFocusOnClosedRow(openId: number | null): void {
  const closed = useRef<number | null>(null);
  useEffect(() => {
    if (openId === null && closed.current !== null && document.activeElement === document.body)
      (
        document.querySelector<HTMLElement>(`#r${closed.current} .c-name a`) ?? document.getElementById("listen")
      )?.focus({ preventScroll: true });
    closed.current = openId;
  }, [openId]);
}

function useFocusOnList(): void {
  const location = useLocation();
  useEffect(() => {
    if (location.hash === "#listen") document.getElementById("listen")?.focus({ preventScroll: true });
  }, [location]);
}

export function ListPage({ list }: { list: ShownList }) {
  const answer = useActionResult("setStatus");
  const sent = useLastSent();
  const shell = useRouteLoaderData<ShellMemory>("routes/management");
  const { visitId } = useParams();
  const { pathname, search } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const ediWaiting = useEdiWaiting();
  const here = `${paths.overview}${search}`;
  useFocusOnClosedRow(openId);
  useFocusOnList();
  const isWorking = useNavigation().state !== "idle";
  const isElsewhere = openId !== null && !list.rows.some(({ id }) => id === openId);
  const isQuestion = openId === null && pathname !== paths.overview;
  const pager = (label: string) => (
    <Pager
      page={list.page}
      pageCount={list.pageCount}
      href={(page) => `${paths.overview}?${pageQuery(list, page)}`}
      label={label}
    />
  );
  const outcome = rowSaveState(answer, shell, sent);
  const refused = refusalOf(outcome, answer, shell);
  const isRowShown = list.rows.some(({ id }) => id === outcome?.rowId && id !== openId);

  return (
    <div className={openId === null ? undefined : "has-open"}>
      {isWorking && <div className="work-line" aria-hidden="true" />}
      <a href="#listen" className="sr-only focus:not-sr-only focus:p-2 print:hidden">
        Til listen
      </a>
      {isQuestion && <Outlet />}
      {openId !== null && (
        <p className="on-phone mb-2 -ml-2">
          <ButtonLink to={`${paths.overview}?${pageQuery(list, list.page)}`} variant="plain" size="small" icon="left">
            Oversigt
          </ButtonLink>
        </p>
      )}
      <PageHead
        title={list.maySetStatus ? "Oversigt" : "Oversigt over henvisninger"}
        queue={queueItems(list, ediWaiting)}
        tools={list.seesInternal && <ExportTools here={here} />}
      />
      <div className="notices" aria-live="polite">
        {list.wasReset && <FilterReset />}
        {list.isAtEnd && (
          <Notice kind="info" live>
            Der er ikke flere henvisninger i den retning i listen.
          </Notice>
        )}
        {refused !== null && !isRowShown && (
          <Notice kind="error" live>
            {refused}
          </Notice>
        )}
        {openId === null && <UrgentLetters />}
        {openId === null && <UrgentDrafts urgent={list.awaiting.urgent} />}
        <MassChangeNotice list={list} here={here} />
        <Reminders list={list} here={here} />
      </div>
      <OverviewFilterPanel list={list} isFolded={openId !== null} />
      {list.active.length === 0 && <p className="print-only">Standardfilter: alle åbne henvisninger</p>}
      <h2 className="sr-only" id="listen" tabIndex={-1}>
        Henvisninger
      </h2>
      <ListHead
        list={list}
        view={overviewView}
        one="henvisning"
        many="henvisninger"
        filters={
          <ActiveFilters
            active={list.active}
            resetTo={paths.overview}
            chipTo={(without) => `${paths.overview}?${buildListQuery({ f: without, sort: list.sort })}`}
          />
        }
        pager={pager("Sider, øverst")}
      />
      {isElsewhere && (
        <div className="panel open-panel mb-3" id={`r${openId}`}>
          <Outlet />
        </div>
      )}
      {list.rows.length === 0 ? (
        <NoReferrals list={list} />
      ) : (
        <ReferralTable list={list} openId={openId} here={here} outcome={outcome && { ...outcome, reason: refused }} />
      )}
      <div className="list-foot">
        <div className="push">{pager("Sider, nederst")}</div>
      </div>
      {!list.seesInternal && <StatusMeanings list={list} />}
      {list.maySetStatus && <MassBar list={list} here={here} isReading={openId !== null} />}
    </div>
  );
}

function NoReferrals({ list: { otherStatuses, active } }: { list: ShownList }) {
  const why = "Ingen henvisninger passer til filtrene.";
  if (otherStatuses === null)
    return active.length === 0 ? (
      <EmptyState why="Her kommer henvisningerne." action={<a href={paths.wizard}>Lav en ny henvisning</a>} />
    ) : (
      <EmptyState icon="search" why={why} action={<a href={paths.overview}>Reset filtre</a>} />
    );
  const { count, f } = otherStatuses;
  const found = count === 1 ? "1 henvisning" : `${showCount(count)} henvisninger`;
  return (
    <EmptyState
      icon="search"
      why={`${why} ${found} med en anden status passer.`}
      action={<a href={`${paths.overview}?f=${encodeURIComponent(f)}`}>{count === 1 ? "Vis den" : "Vis dem"}</a>}
    />
  );
}

function refusalOf(outcome: RowSaveState | null, answer: ActionResult | undefined, shell: ShellMemory | undefined) {
  if (outcome?.went !== "refused") return null;
  const texts = Object.values(answer?.submission?.error ?? {}).flatMap((each) => each ?? []);
  const isSaidByShell = shell?.flash.some(({ tone, text }) => tone === "error" && texts.includes(text));
  return texts.length === 0 || isSaidByShell ? null : texts.join(" ");
}
