import { z } from "zod";
import type { Secrets } from "~/access/secrets.server";
import type { OverviewFilter } from "./filters";

const day = z.string().regex(/^\d{4}-\d{2}-\d{2}$/);
const sealedFilter = z.strictObject({
  patientName: z.string().max(200).optional(),
  cpr: z.string().regex(/^\d{6}(-[0-9A-Z]{4})?$/).optional(),
  visitNumber: z.number().int().optional(),
  dateFrom: day.optional(),
  dateTo: day.optional(),
  statuses: z.array(z.number().int()).max(20).optional(),
});

/** The filter for the address: authenticated encryption, bound to the page and the person (design/decisions.md, Privacy in addresses). */
export function sealFilter(secrets: Secrets, personId: number, filter: OverviewFilter): string {
  return secrets.encrypt("seal", JSON.stringify(filter), `overview:${personId}`);
}

/** Null for a seal that is broken or another person's. */
export function openFilter(secrets: Secrets, personId: number, sealed: string): OverviewFilter | null {
  const plain = secrets.decrypt("seal", sealed, `overview:${personId}`);
  if (plain === null) return null;
  const parsed = sealedFilter.safeParse(JSON.parse(plain));
  return parsed.success ? (parsed.data as OverviewFilter) : null;
}
