import { z } from "zod";
import type { Person } from "~/access/actor";
import type { Secrets } from "~/access/secrets.server";
import { filterFields } from "./filter-sql.server";
import { filterFor, type OverviewFilter } from "./filters";

const sealedFilter = z.strictObject(filterFields((schema) => schema.optional()));

/** Whose filter it is: one list's seal opens no other. */
type Page = "overview" | "drafts";

/**
 * The filter for the address: authenticated encryption, bound to the page and the person (design/decisions.md, Privacy in addresses). A filter
 * that says nothing about anybody stands in clear: short, and a link for colleagues too (docs/decisions/0018).
 */
export function sealFilter(secrets: Secrets, person: Person, filter: OverviewFilter, page: Page = "overview"): string {
  return inClear(filter) ?? secrets.encrypt("seal", JSON.stringify(filter), `${page}:${person.id}`);
}

/** Null for a seal that is broken or another person's. */
export function openFilter(secrets: Secrets, person: Person, sealed: string, page: Page = "overview"): OverviewFilter | null {
  const plain = fromClear(sealed) ?? secrets.decrypt("seal", sealed, `${page}:${person.id}`);
  if (plain === null) return null;
  const parsed = sealedFilter.safeParse(JSON.parse(plain));
  return parsed.success ? filterFor(person, parsed.data as OverviewFilter) : null;
}

/** `s0-16m`: statuses and new messages; `s5w2026-11-07`: in their status since before a day. */
function inClear({ statuses, newMessages, inStatusSince, ...personal }: OverviewFilter): string | null {
  if (Object.values(personal).some((value) => value !== undefined)) return null;
  return `${statuses ? `s${statuses.join("-")}` : ""}${newMessages ? "m" : ""}${inStatusSince ? `w${inStatusSince}` : ""}` || null;
}

function fromClear(text: string): string | null {
  const match = /^(?:s([\d-]{0,60}))?(m?)(?:w(\d{4}-\d\d-\d\d))?$/.exec(text);
  if (!match || text === "") return null;
  const statuses = match[1]?.split("-").filter(Boolean).map(Number);
  return JSON.stringify({ statuses, newMessages: match[2] ? true : undefined, inStatusSince: match[3] });
}
