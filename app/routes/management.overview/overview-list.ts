import type { SerializeFrom } from "@remix-run/node";
import { paths } from "~/paths";
import { type StatusOption, statusOptions } from "~/features/referrals/status";
import type { loader } from "./route";

/** What the overview's loader answers, as its views see it. */
export type OverviewList = SerializeFrom<typeof loader>;

let named: { label: string; isStaff: boolean; options: StatusOption[] } | undefined;

/** The statuses as this reader knows them; the same array until something of it changes. */
export function statusesOf({ status16Label, isStaff }: OverviewList): StatusOption[] {
  if (named?.label !== status16Label || named.isStaff !== isStaff) {
    const reader = isStaff ? ({ kind: "system", job: "" } as const) : ({ kind: "anonymous" } as const);
    named = { label: status16Label, isStaff, options: statusOptions({ status16Label }, reader, { all: true }) };
  }
  return named.options;
}

type Query = Pick<OverviewList, "f" | "sort">;

/** The query of a list: its sealed filter, its order, and what else is given. */
export function listQuery({ f, sort }: Query, more: Record<string, string | number> = {}): string {
  const pairs = [...(f ? [["f", f]] : []), ["sort", sort], ...Object.entries(more)];
  return pairs.map(([name, value]) => `${name}=${encodeURIComponent(value!)}`).join("&");
}

/** The query of another page of the list, which is stepped to from the first row of this one (docs/decisions/0009). */
export function pageQuery(list: OverviewList, page: number): string {
  const first = list.rows[0]?.[0];
  return listQuery(list, { page, ...(page > 1 && first ? { after: first, from: list.page } : {}) });
}

/** Where 'Forrige' and 'Næste' of an open referral lead: along the list in its filter and order, over the edge of its page too. */
export function neighbours(list: OverviewList, openId: number): { previous: string | null; next: string | null } {
  const index = list.rows.findIndex(([id]) => id === openId);
  const inPage = listQuery(list, { page: list.page });
  const at = (place: number) => {
    const [id] = list.rows[place] ?? [];
    return id ? `${paths.referral(id)}?${inPage}#r${id}` : null;
  };
  const find = (open: string, page: number) => `${paths.overview}?${pageQuery(list, page)}&aabn=${open}`;
  // It has left the list, as after a new status: its place in the order tells who is next.
  if (index < 0) return { previous: find(`before-${openId}`, list.page), next: find(`after-${openId}`, list.page) };
  return {
    previous: at(index - 1) ?? (list.page > 1 ? find("last", list.page - 1) : null),
    next: at(index + 1) ?? (list.page < list.pageCount ? find("first", list.page + 1) : null),
  };
}
