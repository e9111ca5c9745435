import { z } from "zod";
import { isStaff, type Person } from "~/access/actor";
import { read } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { paths } from "~/paths";
import { ageOn } from "~/text/cpr";
import { localDate, showDate } from "~/text/dates";
import { fullName } from "~/text/names";
import { callUpBanner } from "./call-up-stats.server";
import { EXPORT_FAILED } from "./case-sections";
import { describeFilter, fieldsOf } from "./describe-filter";
import { chosenReferrer, filterChoices } from "./filter-choices.server";
import { openFilter, sealFilter } from "./filter-seal.server";
import { filterEntries, PAGE_SIZE } from "./filters";
import { type PackedRow, packRow } from "./list-row";
import { sortParam } from "./list-sort";
import { readMassChange } from "./read-mass-change.server";
import { readQueues } from "./read-queues.server";
import { URGENT } from "./referral";
import { countList, listOf, startOfFarPage } from "./overview-list.server";
import { findNeighbour, findRows, findStart, type List, placeOfPage } from "./referral-list-store.server";
import { defaultStatuses, statusOptions } from "./status";
import { keptStatusSettings } from "./status-settings.server";

const optionalId = z.coerce.number().int().positive().nullish().catch(null);

const input = z.object({
  f: z.string().nullish(),
  sort: z.string().nullish(),
  page: z.coerce.number().int().min(1).max(1_000_000).catch(1),
  /** A row that the list is stepped from, and the page it begins. */
  anchor: optionalId,
  anchorPage: optionalId,
  /** Open the page's `first` or `last` referral, or the one `after-12` or `before-12` in the list's order. */
  open: z.string().regex(/^(first|last|(after|before)-\d{1,12})$/).nullish().catch(null),
  /** A mass change whose notice stands. */
  massChange: optionalId,
  /** The filters under 'Flere filtre' are shown, used or not. */
  more: z.string().nullish(),
});

/** The overview (specification 1 §2): one page of the actor's referrals, with everything its filter panel needs. */
export const listReferrals = read({
  name: "listReferrals",
  permission: "referral.read",
  input,
  async run({ db, person, portal, caller, now, saw }, asked) {
    const opened = asked.f ? openFilter(portal.secrets, person, asked.f) : {};
    const typed = opened ?? {};
    const list = listOf(portal, person, typed, asked.sort);
    const { sort } = list;
    const total = await countList(portal, person, list.filter);
    const pageCount = Math.max(1, Math.ceil(total / PAGE_SIZE));
    const page = Math.min(asked.page, pageCount);
    const known = asked.anchor && asked.anchorPage && page === asked.page ? await findStart(db, list, asked.anchor) : null;
    const anchor = known && asked.anchorPage ? { start: known, page: asked.anchorPage } : page === asked.page ? await startOfFarPage(portal, list, page) : null;
    // Beyond the last page stands the last one, read from the list's end.
    const place = page < asked.page ? { from: null, towards: "beginning" as const, skip: 0, take: Math.max(1, total - (page - 1) * PAGE_SIZE) } : placeOfPage(page, anchor);
    const rows = total === 0 ? [] : await findRows(db, list, place);
    const query = new URLSearchParams({ ...(opened && asked.f ? { f: asked.f } : {}), sort: sortParam(sort), page: String(page) });
    const toOpen = asked.open ? await referralToOpen(portal, list, rows.map((row) => row.id), asked.open) : null;
    if (toOpen !== null) return { moveTo: `${paths.referral(toOpen)}?${query.toString()}#r${toOpen}` };
    saw(rows.map((row) => row.id));
    const settings = await keptStatusSettings(portal);
    const staff = isStaff(person);
    const choices = await filterChoices(portal, person);
    const referrer = typed.referrerId && !choices.referrers?.some(({ value }) => value === typed.referrerId) ? await chosenReferrer(portal, person, typed.referrerId) : null;
    const options = statusOptions(settings, person, { all: true });
    const standard = defaultStatuses(person);
    return {
      isStaff: staff,
      wasReset: opened === null,
      /** 'Næste' or 'Forrige' found nobody further. */
      isAtEnd: Boolean(asked.open),
      total,
      page,
      pageCount,
      sort: sortParam(sort),
      f: opened === null ? null : (asked.f ?? null),
      /** The page names the statuses itself; only status 16's label is a setting. */
      status16Label: settings.status16Label,
      /** For the filters under 'Flere filtre', which are shown when one of them is used; else they are asked for (`moreFilters`). */
      choices: asked.more || filterEntries.some(([key, { isFirst }]) => !isFirst && typed[key] !== undefined) ? { ...choices, chosenReferrer: referrer } : null,
      /** What the panel's fields hold, and which statuses are ticked. */
      fields: fieldsOf(typed),
      statuses: list.filter.statuses ?? [],
      active: describeFilter(typed, standard, { ...choices, statuses: options, chosenReferrer: referrer }).map(({ key, text }) => ({
        key,
        text,
        // The address of the same list without this one filter.
        without: sealFilter(portal.secrets, person, { ...typed, [key]: undefined }),
      })),
      queues: await readQueues(portal, person, now),
      callUps: staff && caller.once?.showCallUpStats ? await callUpBanner(portal, person, now) : null,
      massChange: asked.massChange && staff ? await readMassChange(portal, person, asked.massChange) : null,
      rows: rows.map((row) => showRow(portal, person, row, localDate(now))),
    };
  },
});

async function referralToOpen({ db }: Pick<Portal, "db">, list: List, ids: number[], open: string): Promise<number | null> {
  if (open === "first") return ids[0] ?? null;
  if (open === "last") return ids.at(-1) ?? null;
  const [side, id] = open.split("-");
  return findNeighbour(db, list, Number(id), side === "after" ? "end" : "beginning");
}

type Row = Awaited<ReturnType<typeof findRows>>[number];

/** A row as `list-row.ts` packs it: its names would otherwise be a tenth of the page. */
function showRow({ secrets }: Pick<Portal, "secrets">, person: Person, row: Row, today: string): PackedRow {
  return packRow({
    id: row.id,
    version: row.version,
    cpr: secrets.decrypt("cpr", row.cpr_encrypted ?? "") ?? "–",
    name: fullName(row),
    age: ageOn(row.birth_date, today),
    date: showDate(row.create_date),
    status: row.status,
    ediId: row.external_id,
    missesDentistId: isStaff(person) && row.external_doctor_id === null,
    isUrgent: row.reference_type === URGENT,
    hasRadiographs: row.has_radiographs === 1,
    hasExportFailed: isStaff(person) && row.radiograph_export_status === EXPORT_FAILED,
    // To the clinic what it has not answered; to the referrer what the clinic has written since.
    hasNewMessage: (isStaff(person) ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
    isExported: row.exported_to_csv === 1,
    isTest: row.is_test === 1,
  });
}
