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
  /** Status the open referral had when opened; it keeps its place until closed. */
  openStatus: z.coerce.number().int().nullable().catch(null),
};

const inputSchema = z.object(referralPageInput);

/** A page of rows with its place in the list, from which page links are built. */
export async function readReferralPage(portal: Portal, person: Person, question: z.infer<typeof inputSchema>) {
  const { typed, shown } = requestedFilter(overview, portal, person, question);
  const list = listOf(portal, person, typed, question.sort);
  // Sorted by status, the open referral keeps the place of its former status.
  const openedAt = list.sort.key === SORT.status ? question.openStatus : null;
  const { rows, ...place } = await readPage(portal, person, list, { ...question, openedAt });
  return { typed, shown, list, openedAt, rows, place: { ...place, sort: sortParam(list.sort) } };
}
