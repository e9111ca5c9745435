import type { SerializeFrom } from "@remix-run/node";
import type { ListedReferrals, readListAround } from "~/features/referrals/list/list-referrals.server";
import type { ResultOf } from "~/access/operation.server";
import { paths } from "~/paths";
import { overviewView, SORT } from "~/features/referrals/list/filters";
import { parseSort } from "~/lists/list";
import { namedStatuses, type StatusOption } from "~/features/referrals/model/status";

export type OverviewList = SerializeFrom<ListedReferrals>;

export type ListAround = SerializeFrom<ResultOf<typeof readListAround>>;

export const statusesOf = ({
  status16Label,
  seesInternal,
}: Pick<OverviewList, "status16Label" | "seesInternal">): StatusOption[] =>
  namedStatuses({ status16Label }, seesInternal);

type Query = Pick<ListAround, "f" | "sort">;

/** The query string of a list: sealed filter, order, and further parameters. */
export function buildListQuery({ f, sort }: Query, more: Record<string, string | number> = {}): string {
  const pairs = [...(f ? [["f", f]] : []), ["sort", sort], ...Object.entries(more)];
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join("&");
}

/** The query string of another page, stepped to from the nearer end of this one (docs/decisions/0009). */
export function pageQuery(list: ListAround, page: number): string {
  const cursor = page === 1 ? null : page > list.page ? list.end : list.start;
  return buildListQuery(list, { page, ...(cursor ? { fra: cursor } : {}) });
}

/** Addresses of a list's open referrals; those with unanswered messages open at the messages. */
export function openHrefs(
  list: ListAround & Partial<Pick<OverviewList, "filter">>,
): (row: { id: number; status: number }) => string {
  const isByStatus = parseSort(list.sort, overviewView).key === SORT.status;
  const query = pageQuery(list, list.page);
  return ({ id, status }) =>
    `${paths.referral(id)}?${query}${isByStatus ? `&stod=${status}` : ""}#${list.filter?.newMessages ? "beskeder" : `r${id}`}`;
}

/** Previous and next referral along the list's filter and order, across page edges. */
export function neighbours(list: ListAround, openId: number): { previous: string | null; next: string | null } {
  const { rows } = list;
  const index = rows.findIndex(({ id }) => id === openId);
  const hrefOf = openHrefs(list);
  const at = (place: number) => {
    const row = rows[place];
    return row ? hrefOf(row) : null;
  };
  const find = (open: string, page: number) => `${paths.overview}?${pageQuery(list, page)}&aabn=${open}`;
  if (index < 0) return { previous: find(`before-${openId}`, list.page), next: find(`after-${openId}`, list.page) };
  return {
    previous: at(index - 1) ?? (list.page > 1 ? find("last", list.page - 1) : null),
    next: at(index + 1) ?? (list.page < list.pageCount ? find("first", list.page + 1) : null),
  };
}
