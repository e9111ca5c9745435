import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { type ResultOf, execute, plainInput, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { List } from "~/lists/define-list.server";
import { filterEntries } from "~/lists/filters";
import { neighbourOf } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { findNotReceived, readAwaiting } from "~/features/referrals/sending/operations.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { callUpBanner } from "./call-up-stats.server";
import type { FilterKey } from "./filters";
import { chosenReferrer, filterChoices } from "./filter-choices.server";
import { showRow } from "./list-row.server";
import { overview, type OverviewRow } from "./overview-list.server";
import { readMassChange } from "~/features/referrals/status/set-statuses.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { missingSteps } from "~/features/set-up/missing-steps.server";
import { readQueues } from "./read-queues.server";
import { readReferralPage, referralPageInput } from "./referral-page.server";
import { countMissing } from "~/features/referrals/store/material-store.server";
import { AWAITING_MATERIAL, defaultStatuses } from "~/features/referrals/model/status";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";

const optionalId = z.coerce.number().int().positive().nullable().catch(null);

const inputSchema = z.object({
  ...referralPageInput,
  /** Redirects to the page's `first` or `last` referral, or the one `after-12` or `before-12`. */
  open: z
    .string()
    .regex(/^(first|last|(after|before)-\d{1,12})$/)
    .nullish()
    .catch(null),
  massChange: optionalId,
  /** Shows the filters under 'Flere filtre'. */
  more: z.string().nullish(),
});

/** A page of the overview with its filter panel; by default the role's statuses. */
export const listReferrals = read({
  name: "listReferrals",
  permission: "referral.read",
  input: inputSchema,
  async run({ person, portal, caller, now, auditRead }, input) {
    // In parallel, so that cached answers share one query for changes of other processes.
    const [{ typed, shown, list, openedAt, rows, place }, settings, choices, around] = await Promise.all([
      readReferralPage(portal, person, input),
      cachedStatusSettings(portal),
      filterChoices(portal, person),
      input.rowsOnly ? nothingAround : readAround(portal, caller, person, now),
    ]);
    const { total, isMore, page, pageCount, start, end, sort } = place;
    if (input.open) {
      const toOpen = await referralToOpen(portal, person, list, rows, input.open, openedAt);
      const { f } = shown();
      const query = new URLSearchParams({
        ...(f ? { f } : {}),
        sort,
        page: String(page),
        ...(start ? { fra: start } : {}),
      });
      if (toOpen !== null) return { redirectTo: `${paths.referral(toOpen)}?${query.toString()}#r${toOpen}` };
    }
    const ids = rows.map(({ id }) => id);
    auditRead(ids);
    const maySetStatus = can(person, "referral.setStatus");
    const lacking = rows.filter(({ status }) => status === AWAITING_MATERIAL).map(({ id }) => id);
    const lackingFiles = rows.filter((row) => row.lacks_files === 1).map(({ id }) => id);
    const [missing, notReceived, referrer] = await Promise.all([
      countMissing(portal.db, lacking),
      findNotReceived(portal.db, lackingFiles),
      typed.referrerId ? chosenReferrer(portal, person, typed.referrerId) : null,
    ]);
    const named = {
      ...choices,
      chosenReferrer: choices.referrers?.some(({ value }) => value === typed.referrerId) ? null : referrer,
    };
    const { f, wasReset, filter, active } = shown(named, defaultStatuses(person));
    return {
      maySetStatus,
      seesInternal: can(person, "referral.readInternal"),
      /** 'Næste' or 'Forrige' found no further referral. */
      isAtEnd: Boolean(input.open),
      total,
      isMore,
      page,
      pageCount,
      /** Sealed positions for page links: the page's start (null on the first) and end. */
      start,
      end,
      sort,
      /** Only status 16's label is a setting. */
      status16Label: settings.status16Label,
      /** Loaded when a filter of 'Flere filtre' is used; otherwise on request (`moreFilters`). */
      choices:
        input.more ||
        filterEntries(overview.filters).some(
          ([key, { isFirst, control }]) => !isFirst && control !== "link" && typed[key as FilterKey] !== undefined,
        )
          ? named
          : null,
      f,
      wasReset,
      filter,
      active,
      /** The chosen statuses, or the role's defaults. */
      statuses: list.filter.statuses ?? [],
      queues: around.queues,
      failures: around.failures,
      missingSteps: around.missing,
      callUps: around.callUps,
      /** Drafts that will be sent when their uploads finish, shown to their senders. */
      awaiting: around.awaiting,
      massChange: input.massChange && maySetStatus ? await readMassChange(portal, person, input.massChange) : null,
      rows: rows.map((row) =>
        showRow(portal, person, row, {
          today: localDate(now),
          missing: missing.get(row.id),
          notReceived: notReceived.get(row.id)?.length,
        }),
      ),
    };
  },
});

/** The answer when it is not a redirect. */
export type ListedReferrals = Exclude<ResultOf<typeof listReferrals>, { redirectTo: string }>;

const nothingAwaited: ResultOf<typeof readAwaiting> = { hasMore: false, drafts: [] };

/** Data that only the page around the rows shows. */
async function readAround(portal: Portal, caller: Caller, person: Person, now: Date) {
  const maySetStatus = can(person, "referral.setStatus");
  const [queues, failures, missing, callUps, awaiting] = await Promise.all([
    readQueues(portal, person, now),
    can(person, "delivery.readLogs") ? countOpenFailures(portal, now) : 0,
    missingSteps(portal, person),
    maySetStatus && caller.flash?.showCallUpStats ? callUpBanner(portal, person, now) : null,
    maySetStatus || !can(person, "referral.write")
      ? nothingAwaited
      : execute(portal, caller, readAwaiting, plainInput({})),
  ]);
  return { queues, failures, missing, callUps, awaiting };
}

const nothingAround: Awaited<ReturnType<typeof readAround>> = {
  queues: [],
  failures: 0,
  missing: [],
  callUps: null,
  awaiting: nothingAwaited,
};

async function referralToOpen(
  portal: Portal,
  person: Person,
  list: List<OverviewRow>,
  rows: { id: number }[],
  open: string,
  openedAt: number | null,
): Promise<number | null> {
  if (open === "first") return rows[0]?.id ?? null;
  if (open === "last") return rows.at(-1)?.id ?? null;
  const [side, id] = open.split("-");
  return neighbourOf(portal, person, list, Number(id), openedAt, side === "after" ? "forward" : "backward");
}
