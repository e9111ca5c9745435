import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import type { ListDefinition } from "./define-list.server";
import { allowedFilter } from "./filters";

export type Sealable<F extends object> = Pick<
  ListDefinition<{ id: number }, F>,
  "name" | "filters" | "rules" | "sealedFilter" | "encodePublic" | "decodePublic"
>;

/**
 * Seals a filter for the address, bound to list and person, since it may hold a name or CPR number. A filter without
 * personal data is readable text (docs/decisions/0017).
 */
export function sealFilter<F extends object>(list: Sealable<F>, secrets: Secrets, person: Person, filter: F): string {
  return list.encodePublic?.(filter) ?? secrets.encrypt("seal", JSON.stringify(filter), purpose(list, person));
}

/** Null for a broken or foreign seal; otherwise the filter without disallowed parts. */
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
