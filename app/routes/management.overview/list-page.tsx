import { Outlet, useLocation, useNavigation, useParams, useRouteLoaderData } from "@remix-run/react";
import { columns, defaultSort } from "~/features/referrals/list/filters";
import { ListHead } from "~/lists/list-head";
import { paths } from "~/paths";
import { ButtonLink } from "~/ui/forms/button";
import { EmptyState } from "~/ui/feedback/empty-state";
import { Notice } from "~/ui/feedback/notice";
import { PageHead } from "~/ui/layout/page-frame";
import { Pager } from "~/ui/lists/pager";
import { AppointmentNotice } from "./appointment-notice";
import { AwaitingDraftsNotice } from "./awaiting-drafts-notice";
import { ExportTools } from "./export-tools";
import { OverviewFilterPanel } from "./filter-panel";
import { MassBar } from "./mass-bar";
import { CallUpNotice, MassChangeNotice, QueueLine } from "./notices";
import { pageQuery } from "~/components/overview-list/overview-list";
import type { ShownList } from "./present";
import type { ActionResult } from "~/http/forms/action-result";
import { useActionResult } from "~/http/forms/use-action-result";
import { ReferralTable } from "./referral-table";
import { SetUpNotice } from "./set-up-notice";
import { useFocusOnClosedRow } from "./use-focus-on-closed-row";
import {
  type RowSaveState,
  type ShellMemory,
  rowSaveState,
  useLastSent,
} from "~/components/status-form/row-save-state";

export function ListPage({ list }: { list: ShownList }) {
  const answer = useActionResult("setStatus");
  const sent = useLastSent();
  const shell = useRouteLoaderData<ShellMemory>("routes/management");
  const { visitId } = useParams();
  const { pathname, search } = useLocation();
  const openId = visitId === undefined ? null : Number(visitId);
  const here = `${paths.overview}${search}`;
  useFocusOnClosedRow(openId);
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
        queue={list.queues.length + list.failures > 0 && <QueueLine list={list} />}
        tools={list.seesInternal && <ExportTools here={here} />}
      />
      <div className="notices" aria-live="polite">
        {list.wasReset && <Notice kind="info">Filtrene er nulstillet, fordi linket ikke længere gælder.</Notice>}
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
        <SetUpNotice steps={list.missingSteps} here={here} />
        <AwaitingDraftsNotice list={list} />
        <AppointmentNotice />
        <MassChangeNotice list={list} here={here} />
        <CallUpNotice list={list} here={here} />
      </div>
      <OverviewFilterPanel list={list} isFolded={openId !== null} />
      <p className="print-only">
        {list.active.length > 0
          ? list.active.map(({ text }) => text).join(" · ")
          : "Standardfilter: alle åbne henvisninger"}
      </p>
      <h2 className="sr-only" id="listen" tabIndex={-1}>
        Henvisninger
      </h2>
      <ListHead
        list={list}
        columns={columns}
        defaultSort={defaultSort}
        one="henvisning"
        many="henvisninger"
        action={paths.overview}
        pager={pager("Sider, øverst")}
      />
      {isElsewhere && (
        <div className="panel open-panel mb-3" id={`r${openId}`}>
          <Outlet />
        </div>
      )}
      {list.rows.length === 0 ? (
        <EmptyState why="Ingen henvisninger passer til filtrene." action={<a href={paths.overview}>Reset filtre</a>} />
      ) : (
        <ReferralTable list={list} openId={openId} here={here} outcome={outcome && { ...outcome, reason: refused }} />
      )}
      <div className="list-foot mt-3">{pager("Sider, nederst")}</div>
      {list.maySetStatus && <MassBar list={list} here={here} isReading={openId !== null} />}
    </div>
  );
}

/** Why a row's GEM was refused; null if it was not, or the shell shows it. */
function refusalOf(outcome: RowSaveState | null, answer: ActionResult | undefined, shell: ShellMemory | undefined) {
  if (outcome?.went !== "refused") return null;
  const texts = Object.values(answer?.submission?.error ?? {}).flatMap((each) => each ?? []);
  const isSaidByShell = shell?.flash.some(({ tone, text }) => tone === "error" && texts.includes(text));
  return texts.length === 0 || isSaidByShell ? null : texts.join(" ");
}
