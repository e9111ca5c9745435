import { idsOf } from "~db/connection.server";
import { z } from "zod";
import type { Person } from "~/access/actor";
import { lookUp, type ResultOf } from "~/access/operation.server";
import { openList } from "~/lists/define-list.server";
import { sealFilter } from "~/lists/filter.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/list";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { throttle } from "~/access/throttle.server";
import { statusLook, visibleStatus } from "~/features/referrals/model/status";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { bareCpr, parseCpr } from "~/text/cpr";
import { line } from "~/text/fields.server";
import { fullName, nameTokens } from "~/text/names";
import type { OverviewFilter } from "./filter-sql.server";
import { overview } from "./overview-list.server";

/** Possible meanings of the text in the order in which they are tried: six digits are a birth date before a number. */
function filtersOf(text: string): OverviewFilter[] {
  const digits = bareCpr(text);
  const cpr = /^\d{6}$/.test(digits) ? digits : parseCpr(text);
  const isNumber = /^\d{1,9}$/.test(digits);
  const statuses = [...overview.statuses!.all];
  if (cpr === null && !isNumber) return nameTokens(text).length > 0 ? [{ patientName: text, statuses }] : [];
  return [
    ...(cpr === null ? [] : [{ cpr, statuses }]),
    ...(isNumber ? [{ visitNumber: Number(digits), statuses }] : []),
  ];
}

const findAll = (portal: Portal, person: Person, filter: OverviewFilter, pageSize?: number) =>
  readPage(portal, person, openList(overview, portal, person, filter, null), { page: 1, pageSize });

const searched = z.object({ patient: line.max(200) });

/**
 * The shell's search by CPR number, number or name in all statuses. One hit by CPR number or number opens; otherwise
 * the overview shows what matches, with the filter sealed so that no patient data is in the address.
 */
export const searchPatients = lookUp({
  name: "searchPatients",
  permission: "referral.read",
  input: searched,
  async run({ portal, person }, { patient }) {
    const filters = filtersOf(patient);
    for (const filter of filters) {
      if (filter.patientName !== undefined) break;
      const { rows, total } = await findAll(portal, person, filter);
      if (total === 0) continue;
      const [only] = rows;
      const query = queryOf(portal, person, filter);
      return {
        to:
          only && total === 1 ? `${paths.referral(only.id)}?${query}#r${only.id}` : `${paths.overview}?${query}#listen`,
      };
    }
    const [first] = filters;
    return { to: first ? `${paths.overview}?${queryOf(portal, person, first)}#listen` : paths.overview };
  },
});

export type PatientSuggestions = ResultOf<typeof suggestPatients>["data"];

const SUGGESTED = 8;

/**
 * Suggestions while somebody types in the shell's search: at most eight referrals in all statuses, open ones first.
 * Each set is audited when it is shown. Throws `tooManyAttempts`.
 */
export const suggestPatients = lookUp({
  name: "suggestPatients",
  permission: "referral.read",
  input: searched,
  async run({ portal, person, auditRead }, { patient }) {
    await throttle(portal, "patientSuggestions", `person:${person.id}`);
    let found: Awaited<ReturnType<typeof findAll>> | null = null;
    for (const filter of filtersOf(patient)) {
      found = await findAll(portal, person, filter, SUGGESTED);
      if (found.total > 0) break;
    }
    const suggestions = (found?.rows ?? []).map((row) => ({
      id: row.id,
      name: fullName(row),
      cpr: sealedCpr.open(portal.secrets, row),
      status: visibleStatus(row.status, person),
      isClosed: statusLook(row.status).tone === "closed",
      createdAt: row.createDate,
    }));
    auditRead(idsOf(suggestions));
    const data = {
      suggestions: suggestions.sort((one, other) => Number(one.isClosed) - Number(other.isClosed)),
      total: found?.total ?? 0,
      isMore: found?.isMore ?? false,
      ...(await cachedStatusSettings(portal)),
    };
    return { data };
  },
});

const queryOf = ({ secrets }: Pick<Portal, "secrets">, person: Person, filter: OverviewFilter) =>
  new URLSearchParams({
    f: sealFilter(overview, secrets, person, filter),
    sort: sortParam(overview.defaultSort),
  }).toString();
