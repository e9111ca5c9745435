import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import type { ListDefinition } from "./define-list.server";
import { allowedFilter } from "./filters";

/** What of a list a filter is sealed by. */
export type Sealable<F extends object> = Pick<
  ListDefinition<{ id: number }, F>,
  "name" | "filters" | "rules" | "sealedFilter" | "encodePublic" | "decodePublic"
>;

/**
 * The filter for the address: authenticated encryption, bound to the list and the person, since it may hold a name or a CPR number. A
 * filter that says nothing about anybody stands as text: short, and a link for colleagues too (docs/decisions/0017).
 */
export function sealFilter<F extends object>(list: Sealable<F>, secrets: Secrets, person: Person, filter: F): string {
  return list.encodePublic?.(filter) ?? secrets.encrypt("seal", JSON.stringify(filter), purpose(list, person));
}

/** Null for a seal that is broken or another person's; else the filter without what they may not filter by. */
export function unsealFilter<F extends object>(
  list: Sealable<F>,
  secrets: Secrets,
  person: Person,
  sealed: string,
): F | null {
  const open =
    list.decodePublic?.(sealed) ?? JSON.parse(secrets.decrypt("seal", sealed, purpose(list, person)) ?? "null");
  const parsed = list.sealedFilter.safeParse(open);
  return parsed.success ? allowedFilter(list.filters, person, parsed.data as F) : null;
}

const purpose = ({ name }: { name: string }, { id }: Person) => `${name}:${id}`;
