import { afterAll, beforeAll } from "vitest";
import type { Person } from "~/access/actor";
import type { ResultOf } from "~/access/operation.server";
import type { OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { listReferrals } from "~/features/referrals/list/list-referrals.server";
import { overview } from "~/features/referrals/list/overview-list.server";
import { sealFilter } from "~/lists/filter.server";
import { aClinic, aPerson } from "../../factories/people";
import { aReferral } from "../../factories/referrals";
import { createTestPortal, type Dialect, type TestPortal } from "../test-portal";

export type List = Exclude<ResultOf<typeof listReferrals>, { redirectTo: string }>;

export const idsOf = ({ rows }: List) => rows.map(({ id }) => id);

const names = [
  ["Søren", "Møller"],
  ["Anna Karin", "Krogh"],
  ["Åse", "Ærø"],
  ["Jørgen", "Moeller-Lund"],
  ["Gülşen", "Şahin"],
] as const;

/** A portal of two clinics with 45 referrals, every third of the second clinic, for the tests of one file; `opened` is handed it. */
export function overviewPortal(dialect: Dialect, opened: (portal: TestPortal) => void) {
  let portal: TestPortal;
  const clinics: [number, number] = [0, 0];
  const people = {} as Record<"admin" | "surgeon" | "secretary" | "dentist" | "other", Person>;
  /** Newest last; each a minute after the one before. */
  const ids: number[] = [];

  beforeAll(async () => {
    portal = await createTestPortal(dialect);
    opened(portal);
    clinics[0] = await aClinic(portal, "Klinik A");
    clinics[1] = await aClinic(portal, "Nordhavn");
    people.admin = await aPerson(portal, { role: "Admin" });
    people.surgeon = await aPerson(portal, { role: "Surgeon" });
    people.secretary = await aPerson(portal, { role: "Secretary", clinicIds: [clinics[0]] });
    people.dentist = await aPerson(portal, { role: "Dentist", clinicIds: [clinics[0]] });
    people.other = await aPerson(portal, { role: "Dentist", clinicIds: [clinics[1]], dentistExternalId: null });
    for (let index = 0; index < 45; index += 1) {
      const [firstName, lastName] = names[index % names.length]!;
      ids.push(await aReferral(portal, index % 3 === 0 ? people.other : people.dentist, { firstName, lastName }));
      portal.clock.advance({ minutes: 1 });
    }
  });
  afterAll(() => portal.close());

  const set = (id: number, values: Record<string, unknown>) =>
    portal.db.updateTable("referral").set(values).where("id", "=", id).execute();
  async function list(
    person: Person,
    filter: OverviewFilter | null = null,
    more: Record<string, unknown> = {},
  ): Promise<List> {
    portal.cache.invalidate("count of");
    const f = filter === null ? undefined : sealFilter(overview, portal.secrets, person, filter);
    return (await portal.as(person, listReferrals, { f, ...more })) as List;
  }
  const shown = async (person: Person, filter: OverviewFilter | null, more: Record<string, unknown> = {}) =>
    idsOf(await list(person, filter, more));

  return { clinics, people, ids, set, list, shown };
}
