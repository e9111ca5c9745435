import type { Person } from "~/access/actor";
import { scopeKey } from "~/access/keeper.server";
import type { Portal } from "~/portal.server";
import { columns, defaultSort, type OverviewFilter } from "./filters";
import { parseSort } from "./list-sort";
import { countReferrals, findIds, findStart, type List, placeOfPage, type Start } from "./referral-list-store.server";
import { defaultStatuses } from "./status";

/** The list that a filter and a sort make for a person: his statuses are the default ones until he chooses. */
export function listOf({ secrets }: Pick<Portal, "secrets">, person: Person, typed: OverviewFilter, sort: string | null | undefined): List {
  return { filter: { ...typed, statuses: typed.statuses ?? defaultStatuses(person) }, sort: parseSort(sort, columns, defaultSort), asked: { actor: person, secrets } };
}

/** Pages that are quicker counted to than remembered. */
const NEAR = 10;

/**
 * The first row of a page far down that was asked for by its number, at most a minute old when it was costly to count to; null for a
 * page near by. Its own reload, its rows' changes and its neighbours then step from there as if from the pager.
 */
export async function startOfFarPage({ kept, db }: Pick<Portal, "kept" | "db">, list: List, page: number): Promise<{ start: Start; page: number } | null> {
  if (page <= NEAR) return null;
  const { actor } = list.asked;
  const question = `page ${page} of ${scopeKey(actor)} ${list.filter.myNewMessages && actor.kind === "person" ? actor.id : ""} ${JSON.stringify([list.sort, list.filter])}`;
  const start = await kept.keepIfCostly(question, async () => {
    const [id] = await findIds(db, list, { ...placeOfPage(page, null), take: 1 });
    return id === undefined ? null : findStart(db, list, id);
  });
  return start && { start, page };
}

/** How many referrals the filter lets through, at most a minute old when it was costly to count. */
export async function countList({ kept, db, secrets }: Pick<Portal, "kept" | "db" | "secrets">, person: Person, filter: OverviewFilter): Promise<number> {
  if (filter.statuses?.length === 0) return 0;
  return kept.keepIfCostly(`count of ${scopeKey(person)} ${filter.myNewMessages ? person.id : ""} ${JSON.stringify(filter)}`, () =>
    countReferrals(db, filter, { actor: person, secrets }),
  );
}
