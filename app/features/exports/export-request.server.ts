import { z } from "zod";
import { addMinutes } from "date-fns";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterRules } from "~/features/referrals/list/filter-sql.server";
import { filters, type OverviewFilter } from "~/features/referrals/list/filters";
import { filterFields } from "~/lists/filter-rules.server";
import { allowedFilter } from "~/lists/filters";
import { MAX_SELECTED } from "./export-columns";

/** Referrals of an export: a filter's matches or picked ones. */
export type ExportRequest = { filter: OverviewFilter } | { ids: number[] };

const requestShape = z.union([
  z.strictObject({ ids: z.array(z.number().int().positive()).min(1).max(MAX_SELECTED) }),
  z.strictObject({ filter: z.strictObject(filterFields(filterRules, (schema) => schema.optional())) }),
]);
const sealedShape = z.strictObject({ request: requestShape, until: z.number() });

/** Long enough for a broken connection to retry. */
const SEALED_MINUTES = 60;

/** Seals an export for its address, since a filter may hold a name or CPR number. */
export function sealExport(secrets: Secrets, person: Person, request: ExportRequest, now: Date): string {
  return secrets.encrypt(
    "seal",
    JSON.stringify({ request, until: addMinutes(now, SEALED_MINUTES).getTime() }),
    `export:${person.id}`,
  );
}

/** Null for a broken, foreign or expired seal. */
export function openExport(secrets: Secrets, person: Person, sealed: string, now: Date): ExportRequest | null {
  const plain = secrets.decrypt("seal", sealed, `export:${person.id}`);
  const parsed = plain === null ? null : sealedShape.safeParse(JSON.parse(plain));
  if (!parsed?.success || parsed.data.until < now.getTime()) return null;
  const { request } = parsed.data;
  return "ids" in request ? request : { filter: allowedFilter(filters, person, request.filter as OverviewFilter) };
}
