import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "~/features/referrals/filter-sql.server";
import { filterFor, type OverviewFilter } from "~/features/referrals/filters";
import { MOST_PICKED } from "./export-columns";

/** Which referrals an export holds: those that a filter lets through, or those that were picked. */
export type ExportRequest = { filter: OverviewFilter } | { ids: number[] };

const sealedShape = z.union([
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(MOST_PICKED) }),
  z.strictObject({ filter: z.strictObject(filterFields((schema) => schema.optional())) }),
]);

/** For the download's address: a filter may hold a name or a CPR number (design/decisions.md, Privacy in addresses). */
export function sealExport(secrets: Secrets, person: Person, request: ExportRequest): string {
  return secrets.encrypt("seal", JSON.stringify(request), `export:${person.id}`);
}

/** Null for a seal that is broken or another person's. */
export function openExport(secrets: Secrets, person: Person, sealed: string): ExportRequest | null {
  const plain = secrets.decrypt("seal", sealed, `export:${person.id}`);
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  if (!parsed?.success) return null;
  return "ids" in parsed.data ? parsed.data : { filter: filterFor(person, parsed.data.filter as OverviewFilter) };
}
