import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "./filter-sql.server";
import { filterFor, type OverviewFilter } from "./filters";

const sealedFilter = z.strictObject(filterFields((schema) => schema.optional()));

/** The filter for the address: authenticated encryption, bound to the page and the person (design/decisions.md, Privacy in addresses). */
export function sealFilter(secrets: Secrets, person: Person, filter: OverviewFilter): string {
  return secrets.encrypt("seal", JSON.stringify(filter), `overview:${person.id}`);
}

/** Null for a seal that is broken or another person's. */
export function openFilter(secrets: Secrets, person: Person, sealed: string): OverviewFilter | null {
  const plain = secrets.decrypt("seal", sealed, `overview:${person.id}`);
  if (plain === null) return null;
  const parsed = sealedFilter.safeParse(JSON.parse(plain));
  return parsed.success ? filterFor(person, parsed.data as OverviewFilter) : null;
}
