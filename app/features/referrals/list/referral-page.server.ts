import { z } from "zod";
import type { Person } from "~/access/actor";
import { listInput, requestedFilter } from "~/lists/list-request.server";
import { readPage } from "~/lists/read-page.server";
import { sortParam } from "~/lists/sort";
import type { Portal } from "~/portal.server";
import { SORT } from "./filters";
import { listOf, overview } from "./overview-list.server";

export const referralPageInput = {
  ...listInput(overview),
  /** The status that the open referral had when it was opened: it stays where it stood until it is left. */
  openStatus: z.coerce.number().int().nullable().catch(null),
};

const inputSchema = z.object(referralPageInput);

/** One page of the overview: its rows as the store has them, and its place in the list, which the links to other pages are made of. */
export async function readReferralPage(portal: Portal, person: Person, question: z.infer<typeof inputSchema>) {
  const { typed, shown } = requestedFilter(overview, portal, person, question);
  const list = listOf(portal, person, typed, question.sort);
  // Sorted by status, the open referral keeps its place by the status that it was opened with.
  const openedAt = list.sort.key === SORT.status ? question.openStatus : null;
  const { rows, ...place } = await readPage(portal, person, list, { ...question, openedAt });
  return { typed, shown, list, openedAt, rows, place: { ...place, sort: sortParam(list.sort) } };
}
