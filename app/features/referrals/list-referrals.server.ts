import { z } from "zod";
import { can } from "~/access/permissions";
import { read } from "~/access/operation.server";
import { readStatusSettings } from "~/features/referrals/status-settings.server";
import { ageOn } from "~/text/cpr";
import { localDate, showDate, showDay } from "~/text/dates";
import { fullName } from "~/text/names";
import { openFilter, sealFilter } from "./filter-seal.server";
import { filterLabels, type OverviewFilter, PAGE_SIZE, parseSort, sortParam } from "./filters";
import { URGENT } from "./referral";
import { findPage } from "./referral-list-store.server";
import { defaultStatuses, statusLabel, statusOptions } from "./status";

const positive = z.coerce.number().int().min(1).max(1_000_000).catch(1);
const optionalId = z.coerce.number().int().positive().nullish().catch(null);

/** The overview (specification 1 §2): one page of the actor's referrals, with everything its filter panel needs. */
export const listReferrals = read({
  name: "listReferrals",
  permission: "referral.read",
  input: z.object({ f: z.string().nullish(), sort: z.string().nullish(), page: positive, anchor: optionalId, anchorPage: optionalId }),
  async run({ db, person, portal, now, saw }, input) {
    const opened = input.f ? openFilter(portal.secrets, person.id, input.f) : {};
    const typed: OverviewFilter = opened ?? {};
    const filter = { ...typed, statuses: typed.statuses ?? defaultStatuses(person) };
    const sort = parseSort(input.sort ?? null);
    const anchor = input.anchor && input.anchorPage ? { id: input.anchor, page: input.anchorPage } : null;
    const none = filter.statuses.length === 0;
    const settings = await readStatusSettings(db);
    const total = none ? 0 : await portal.counts.count(db, portal.secrets, person, filter);
    const rows = none ? [] : await findPage(db, portal.secrets, person, filter, sort, { page: input.page, anchor });
    saw(rows.map((row) => row.id));
    const today = localDate(now);
    const isStaff = can(person, "referral.setStatus");
    return {
      isStaff,
      wasReset: opened === null,
      total,
      page: input.page,
      pageCount: Math.max(1, Math.ceil(total / PAGE_SIZE)),
      sort: sortParam(sort),
      f: opened === null ? null : (input.f ?? null),
      statusOptions: statusOptions(settings, person, { all: isStaff }),
      filter: {
        patientName: typed.patientName ?? "",
        cpr6: typed.cpr?.slice(0, 6) ?? "",
        cpr4: typed.cpr?.slice(7) ?? "",
        visitNumber: typed.visitNumber ? String(typed.visitNumber) : "",
        dateFrom: typed.dateFrom ? showDay(typed.dateFrom) : "",
        dateTo: typed.dateTo ? showDay(typed.dateTo) : "",
        statuses: filter.statuses,
      },
      active: activeFilters(typed, defaultStatuses(person)).map(({ key, text }) => ({
        key,
        text,
        // The address of the same list without this one filter.
        without: sealFilter(portal.secrets, person.id, { ...typed, [key]: undefined }),
      })),
      rows: rows.map((row) => ({
        id: row.id,
        version: row.version,
        ediId: row.external_id,
        missesDentistId: isStaff && row.external_doctor_id === null,
        cpr: portal.secrets.decrypt("cpr", row.cpr_encrypted ?? "") ?? "–",
        name: fullName(row),
        age: ageOn(row.birth_date, today),
        date: showDate(row.create_date),
        status: row.status,
        statusLabel: statusLabel(row.status, settings, person),
        isUrgent: row.reference_type === URGENT,
        hasRadiographs: row.has_radiographs === 1,
        // To the clinic what it has not answered; to the referrer what the clinic has written since.
        hasNewMessage: (isStaff ? row.has_unanswered_message : row.referrer_has_unread_messages) === 1,
        isExported: row.exported_to_csv === 1,
        isTest: row.is_test === 1,
      })),
    };
  },
});

/** What the chips say, without repeating a CPR number or a name where a label does. The default statuses are no chip. */
function activeFilters(filter: OverviewFilter, standard: number[]): { key: keyof OverviewFilter; text: string }[] {
  const chips: { key: keyof OverviewFilter; text: string }[] = [];
  if (filter.patientName) chips.push({ key: "patientName", text: `${filterLabels.patientName}: ${filter.patientName}` });
  if (filter.cpr) chips.push({ key: "cpr", text: `${filterLabels.cpr}: ${filter.cpr}` });
  if (filter.visitNumber) chips.push({ key: "visitNumber", text: `${filterLabels.visitNumber} ${filter.visitNumber}` });
  if (filter.dateFrom) chips.push({ key: "dateFrom", text: `${filterLabels.dateFrom} ${showDay(filter.dateFrom)}` });
  if (filter.dateTo) chips.push({ key: "dateTo", text: `${filterLabels.dateTo} ${showDay(filter.dateTo)}` });
  const chosen = filter.statuses;
  if (chosen && (chosen.length !== standard.length || !standard.every((value) => chosen.includes(value)))) {
    chips.push({ key: "statuses", text: `${filterLabels.statuses}: ${chosen.length} valgt` });
  }
  return chips;
}
