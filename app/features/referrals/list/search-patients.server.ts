import { z } from "zod";
import type { Person } from "~/access/actor";
import { lookUp } from "~/access/operation.server";
import { openList } from "~/lists/define-list.server";
import { sealFilter } from "~/lists/filter.server";
import { allowedFilter } from "~/lists/filters";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { bareCpr, parseCpr } from "~/text/cpr";
import { line } from "~/text/fields.server";
import { nameTokens } from "~/text/names";
import type { OverviewFilter } from "./filters";
import { overview } from "./overview-list.server";

/** What the text may be, in the order in which it is tried: six digits are a birth date before they are a number. */
function filtersOf(text: string): OverviewFilter[] {
  const digits = bareCpr(text);
  const cpr = /^\d{6}$/.test(digits) ? digits : parseCpr(text);
  if (cpr === null && !/^\d{1,9}$/.test(digits)) return nameTokens(text).length > 0 ? [{ patientName: text }] : [];
  return [...(cpr === null ? [] : [{ cpr }]), ...(/^\d{1,9}$/.test(digits) ? [{ visitNumber: Number(digits) }] : [])];
}

/**
 * The shell's search by CPR number, number or name in all statuses. One hit by CPR number or number opens; otherwise
 * the overview shows what matches, with the filter sealed so that no patient data is in the address.
 */
export const searchPatients = lookUp({
  name: "searchPatients",
  permission: "referral.read",
  input: z.object({ patient: line.max(200) }),
  async run({ portal, person }, { patient }) {
    const filters = filtersOf(patient).map(
      (filter) => ({ ...filter, statuses: overview.statuses?.all }) as OverviewFilter,
    );
    for (const filter of filters) {
      if (filter.patientName !== undefined) break;
      const { rows, total } = await readPage(portal, person, openList(overview, portal, person, filter, null), {
        page: 1,
      });
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

const queryOf = ({ secrets }: Pick<Portal, "secrets">, person: Person, filter: OverviewFilter) =>
  new URLSearchParams({
    f: sealFilter(overview, secrets, person, allowedFilter(overview.filters, person, filter)),
    sort: sortParam(overview.defaultSort),
  }).toString();
