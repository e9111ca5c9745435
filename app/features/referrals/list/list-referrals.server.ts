import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { type ResultOf, execute, plainInput, read } from "~/access/operation.server";
import { can } from "~/access/permissions";
import type { List } from "~/lists/define-list.server";
import { filterEntries } from "~/lists/filters";
import { neighbourOf } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { findNotReceived } from "~/features/referrals/sending/find-not-received.server";
import { readAwaiting } from "~/features/referrals/sending/read-awaiting.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { callUpBanner } from "./call-up-stats.server";
import type { FilterKey } from "./filters";
import { chosenReferrer, filterChoices } from "./filter-choices.server";
import { showRow } from "./list-row.server";
import { overview, type OverviewRow } from "./overview-list.server";
import { readMassChange } from "~/features/referrals/status/read-mass-change.server";
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
  /** Open the page's `first` or `last` referral, or the one `after-12` or `before-12` in the list's order. */
  open: z
    .string()
    .regex(/^(first|last|(after|before)-\d{1,12})$/)
    .nullish()
    .catch(null),
  /** A mass change whose notice stands. */
  massChange: optionalId,
  /** The filters under 'Flere filtre' are shown, used or not. */
  more: z.string().nullish(),
});

/**
 * The overview: one page of the actor's referrals, with everything its filter panel needs; the statuses are those of the role until others
 * are chosen.
 */
export const listReferrals = read({
  name: "listReferrals",
  permission: "referral.read",
  input: inputSchema,
  async run({ person, portal, caller, now, auditRead }, input) {
    // Asked together, so that what is cached asks once what other processes have changed.
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
      /** Sealed positions that page links step from: where this page began, null on the first, and where it ended. */
      start,
      end,
      sort,
      /** The page names the statuses itself; only status 16's label is a setting. */
      status16Label: settings.status16Label,
      /** For the filters under 'Flere filtre', which are shown when one of them is used; else they are asked for (`moreFilters`). */
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
      /** Those chosen, or the standard ones of the role. */
      statuses: list.filter.statuses ?? [],
      queues: around.queues,
      /** Messages that failed and wait for somebody. */
      failures: around.failures,
      /** What a new portal still lacks, for those who can see to it. */
      missingSteps: around.missing,
      callUps: around.callUps,
      /** To who sends them: drafts that will be sent by themselves when their files have come. */
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

/** A page of the list, where it leads to no referral. */
export type ListedReferrals = Exclude<ResultOf<typeof listReferrals>, { redirectTo: string }>;

const nothingAwaited: ResultOf<typeof readAwaiting> = { hasMore: false, drafts: [] };

/** What only the page around the rows shows. */
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
