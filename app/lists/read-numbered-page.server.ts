import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Portal } from "~/portal.server";
import { line } from "~/text/fields.server";
import { type ListDefinition, openList } from "./define-list.server";
import { type PageRow, readPage, type RequestedPage } from "./read-page.server";

/** Input of a log page besides its filters. */
export const numberedInput = {
  /** 'Nr.' as typed. */
  visitNumber: line.max(100).nullish(),
  page: z.coerce.number<unknown>().int().min(1).max(1_000_000).catch(1),
  cursor: z.string().max(2000).nullish().catch(null),
};

const NONE = { total: 0, isMore: false, page: 1, pageCount: 1, start: null, end: null };

/**
 * A page of one referral's rows, or all without a number. Non-numeric text matches nothing and sets `isWrongNumber`.
 * Empty filters are ignored.
 */
export async function readNumberedPage<R extends { id: number }, F extends { visitNumber?: number }, K extends number>(
  portal: Portal,
  person: Person,
  of: ListDefinition<R, F, K>,
  typed: { visitNumber?: string | null } & { [N in keyof Omit<F, "visitNumber">]?: F[N] | null },
  requested: RequestedPage,
) {
  const { visitNumber, ...others } = typed;
  const wanted = visitNumber ?? "";
  const isNumber = /^\d{1,9}$/.test(wanted);
  const isWrongNumber = wanted !== "" && !isNumber;
  const filter = Object.fromEntries(
    Object.entries({ ...others, visitNumber: isNumber ? Number(wanted) : null }).filter(([, value]) => value != null),
  ) as unknown as F;
  const { rows, ...page } = isWrongNumber
    ? { rows: [] as PageRow<R>[], ...NONE }
    : await readPage(portal, person, openList(of, portal.secrets, person, filter, null), requested);
  return { rows, page: { ...page, visitNumber: wanted, isWrongNumber } };
}
