import type { SerializeFrom } from "@remix-run/node";
import type { loader } from "./route";

/** What the overview's loader answers, as its views see it. */
export type OverviewList = SerializeFrom<typeof loader>;
export type OverviewRow = OverviewList["rows"][number];

type Query = Pick<OverviewList, "f" | "sort">;

/** The query of a list: its sealed filter, its order, and what else is given. */
export function listQuery({ f, sort }: Query, more: Record<string, string | number> = {}): string {
  return new URLSearchParams({ ...(f ? { f } : {}), sort, ...Object.fromEntries(Object.entries(more).map(([name, value]) => [name, String(value)])) }).toString();
}

/** The query of another page of the list, which is stepped to from the first row of this one (docs/decisions/0009). */
export function pageQuery(list: OverviewList, page: number): string {
  const first = list.rows[0]?.id;
  return listQuery(list, { page, ...(page > 1 && first ? { after: first, from: list.page } : {}) });
}
