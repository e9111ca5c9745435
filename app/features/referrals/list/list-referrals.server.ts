import { idsOf } from "~db/connection.server";
import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { type ResultOf, execute, read, lookUp, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { type List, openList } from "~/lists/define-list.server";
import { filterEntries } from "~/lists/filters";
import { neighbourOf, readPage } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { findNotReceived, readAwaiting } from "~/features/referrals/sending/operations.server";
import { paths } from "~/paths";
import { localDate } from "~/text/dates";
import { callUpBanner, readQueues } from "./read-queues.server";
import type { OverviewFilter } from "./filter-sql.server";
import { type FilterKey, SORT } from "./filters";
import { chosenReferrer, filterChoices } from "./filter-choices.server";
import { showRow, overview, type OverviewRow } from "./overview-list.server";
import { readMassChange } from "~/features/referrals/status/set-statuses.server";
import { countOpenFailures } from "~/features/delivery/open-failures.server";
import { findSetUp } from "~/features/set-up/operations.server";
import { Refusal } from "~/access/refusal";
import { findReferrers, referrerOption } from "~/features/directory/operations.server";
import { visibleStatus } from "~/features/referrals/model/status";
import { AWAITING_MATERIAL } from "~/features/referrals/model/statuses";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { countMissing } from "~/features/referrals/store/material-store.server";
import { findCaseFacts } from "~/features/referrals/store/case-facts-store.server";
import { statusSentence } from "~/features/referrals/model/status-sentence.server";
import { filterForm, sealFilter } from "~/lists/filter.server";
import { listInput, requestedFilter } from "~/lists/list-page.server";
import { sortParam } from "~/lists/list";
import { line, typedChoice } from "~/text/fields.server";
import { isLabel } from "~/text/typed-choice";

const referralPageInput = {
  ...listInput(overview),
  /** Status the open referral had when opened; it keeps its place until closed. */
  openStatus: wholeNumber.nullable().catch(null),
};

async function readReferralPage(
  portal: Portal,
  person: Person,
  question: z.infer<z.ZodObject<typeof referralPageInput>>,
) {
  const { typed, shown } = requestedFilter(overview, portal, person, question);
  const list = openList(overview, portal, person, typed, question.sort);
  // Sorted by status, the open referral keeps the place of its former status.
  const openedAt = list.sort.key === SORT.status ? question.openStatus : null;
  const { rows, ...place } = await readPage(portal, person, list, { ...question, openedAt });
  return { typed, shown, list, openedAt, rows, place: { ...place, sort: sortParam(list.sort) } };
}

const optionalId = wholeNumber.positive().nullable().catch(null);

const inputSchema = z.object({
  ...referralPageInput,
  /** Redirects to the page's `first` or `last` referral, or the one `after-12` or `before-12`. */
  open: z
    .string()
    .regex(/^(first|last|(after|before)-\d{1,12})$/)
    .nullish()
    .catch(null),
  massChange: optionalId,
  /** The page without a filter in its address: in a new portal administrators are redirected to the missing steps. */
  begins: z.boolean().optional(),
  more: z.string().nullish(),
});

/**
 * A page of the overview with its filter panel; by default the role's statuses. Returns `redirectTo` instead if
 * `open` finds a referral, and to the set-up page if the portal has no referrals and something is still to be set up.
 * `rowsOnly` omits the queues and notices around the list; `more` adds the choices of 'Flere filtre'.
 */
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
    if (input.begins && around.setUp.isEmpty && around.setUp.missing.length > 0) return { redirectTo: paths.setUp };
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
      const part = typed.newMessages ? "beskeder" : `r${toOpen}`;
      if (toOpen !== null) return { redirectTo: `${paths.referral(toOpen)}?${query.toString()}#${part}` };
    }
    const ids = idsOf(rows);
    auditRead(ids);
    const maySetStatus = can(person, "referral.setStatus");
    const lacking = idsOf(rows.filter(({ status }) => status === AWAITING_MATERIAL));
    const lackingFiles = idsOf(rows.filter((row) => row.lacksFiles === 1));
    // Staff read the status alone.
    const explained = maySetStatus ? [] : rows;
    const [missing, notReceived, facts, referrer] = await Promise.all([
      countMissing(portal.db, lacking),
      findNotReceived(portal.db, lackingFiles),
      findCaseFacts(portal.db, idsOf(explained), now),
      typed.referrerId ? chosenReferrer(portal, person, typed.referrerId) : null,
    ]);
    const sentences = new Map(
      explained.map(({ id, status }) => [id, statusSentence(visibleStatus(status, person), facts.get(id)!)]),
    );
    const named = {
      ...choices,
      chosenReferrer: choices.referrers?.some(({ value }) => value === typed.referrerId) ? null : referrer,
    };
    const { f, wasReset, filter, active } = shown(named);
    return {
      maySetStatus,
      seesInternal: can(person, "referral.readInternal"),
      isAtEnd: Boolean(input.open) && rows.length > 0,
      total,
      isMore,
      page,
      pageCount,
      /** Sealed positions for page links: the page's start (null on the first) and end. */
      start,
      end,
      sort,
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
      statuses: list.filter.statuses ?? [],
      otherStatuses: total === 0 ? await findInOtherStatuses(portal, person, typed) : null,
      queues: around.queues,
      failures: around.failures,
      setUpMissing: around.setUp.missing.length,
      callUps: around.callUps,
      awaiting: around.awaiting,
      massChange: input.massChange && maySetStatus ? await readMassChange(portal, person, input.massChange) : null,
      rows: rows.map((row) =>
        showRow(portal, person, row, {
          today: localDate(now),
          isOfSilent: typed.silentOn !== undefined,
          missing: missing.get(row.id),
          notReceived: notReceived.get(row.id)?.length,
          sentences,
        }),
      ),
    };
  },
});

/** Searches all statuses for a patient who was not found in the chosen ones. */
async function findInOtherStatuses(portal: Portal, person: Person, typed: OverviewFilter) {
  if (!typed.patientName && !typed.cpr && !typed.visitNumber) return null;
  const filter = { ...typed, statuses: [...overview.statuses!.all] };
  const { total } = await readPage(portal, person, openList(overview, portal, person, filter, null), { page: 1 });
  const f = sealFilter(overview, portal.secrets, person, filter);
  return total === 0 ? null : { count: total, f };
}

export type ListedReferrals = Exclude<ResultOf<typeof listReferrals>, { redirectTo: string }>;

const nothingAwaited: ResultOf<typeof readAwaiting> = { urgent: [], hasMore: false, drafts: [] };

async function readAround(portal: Portal, caller: Caller, person: Person, now: Date) {
  const maySetStatus = can(person, "referral.setStatus");
  const [queues, failures, setUp, callUps, awaiting] = await Promise.all([
    readQueues(portal, person, now),
    can(person, "delivery.readLogs") ? countOpenFailures(portal, now) : 0,
    findSetUp(portal, person),
    maySetStatus && caller.flash?.showCallUpStats ? callUpBanner(portal, person, now) : null,
    maySetStatus || !can(person, "referral.write") ? nothingAwaited : execute(portal, caller, readAwaiting),
  ]);
  return { queues, failures, setUp, callUps, awaiting };
}

const nothingAround: Awaited<ReturnType<typeof readAround>> = {
  queues: [],
  failures: 0,
  setUp: { missing: [], isEmpty: false },
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

/**
 * Neighbours of a referral in the list it was opened from, and how many are left; for pages of a single referral. The
 * answer contains no patient data, so nothing else is audited.
 */
export const readListAround = read({
  name: "readListAround",
  permission: "referral.read",
  input: z.object(referralPageInput),
  async run({ person, portal }, input) {
    const { shown, rows, place } = await readReferralPage(portal, person, input);
    return {
      ...place,
      f: shown().f,
      rows: rows.map(({ id, status, hasLeft }) => ({
        id,
        status: visibleStatus(status, person),
        hasLeft,
      })),
    };
  },
});

/**
 * 'Flere filtre': choices for more filters, returned to the form so that typed text stays. `search` finds referrers
 * when there are too many for a list.
 */
export const moreFilters = lookUp({
  name: "moreFilters",
  permission: "referral.read",
  input: z.object({ search: line.max(200).optional() }),
  async run({ db, person, portal }, { search }) {
    const choices = await filterChoices({ cache: portal.cache, db }, person);
    const found = search && can(person, "referral.chooseReferrer") ? await findReferrers(db, person, search) : null;
    return {
      data: {
        choices: { ...choices, chosenReferrer: null },
        search,
        referrers: found?.map(referrerOption),
      },
    };
  },
});

/**
 * 'Søg': seals the filter and redirects to the list, so that no patient data is in the address. Throws `invalid` if the
 * referrer field does not match the choice.
 */
export const applyFilter = lookUp({
  name: "applyFilter",
  permission: "referral.read",
  input: filterForm(overview).and(z.object({ referrerIdText: typedChoice })),
  async run({ db, portal, person }, { sort, referrerIdText, ...typed }) {
    const { referrerId } = typed as OverviewFilter;
    if (referrerId !== undefined && referrerIdText !== undefined) {
      const referrer = await chosenReferrer({ db }, person, referrerId);
      if (!referrer || !isLabel(referrer.label, referrerIdText))
        throw new Refusal("invalid", { fields: { referrerId: ["Vælg en henviser fra listen."] } });
    }
    const query = new URLSearchParams({ f: sealFilter(overview, portal.secrets, person, typed as OverviewFilter) });
    if (sort) query.set("sort", sort);
    return { to: `${paths.overview}?${query.toString()}` };
  },
});
