import type { Person } from "~/access/actor";
import { scopeKey } from "~/access/keeper.server";
import type { Portal } from "~/portal.server";
import { columns, defaultSort, type OverviewFilter } from "./filters";
import { parseSort } from "./list-sort";
import { countReferrals, type List } from "./referral-list-store.server";
import { defaultStatuses } from "./status";

/** The list that a filter and a sort make for a person: his statuses are the default ones until he chooses. */
export function listOf({ secrets }: Pick<Portal, "secrets">, person: Person, typed: OverviewFilter, sort: string | null | undefined): List {
  return { filter: { ...typed, statuses: typed.statuses ?? defaultStatuses(person) }, sort: parseSort(sort, columns, defaultSort), asked: { actor: person, secrets } };
}

/** How many referrals the filter lets through, at most a minute old when it was costly to count. */
export async function countList({ kept, db, secrets }: Pick<Portal, "kept" | "db" | "secrets">, person: Person, filter: OverviewFilter): Promise<number> {
  if (filter.statuses?.length === 0) return 0;
  return kept.keepIfCostly(`count of ${scopeKey(person)} ${filter.myNewMessages ? person.id : ""} ${JSON.stringify(filter)}`, () =>
    countReferrals(db, filter, { actor: person, secrets }),
  );
}
