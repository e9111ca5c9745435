import { createHash, randomUUID } from "node:crypto";
import { z } from "zod";
import type { Db } from "~db/connection.server";
import { otherPersonText } from "~/text/other-person";
import { hasAccount, personName } from "./actor";
import type { Caller, Site } from "./caller";
import { findPersonName } from "./session-store.server";
import { Refusal } from "./refusal";
import type { Secrets } from "./secrets.server";

/** Versions of a subject that a page has shown. A referral's status has a version of its own. */
export type SeenVersions = Partial<Record<"version" | "statusVersion", number>>;

export type TicketItem = readonly [id: number, version?: number];

export interface FormSubject {
  fields?: Record<string, string | number>;
  versions?: SeenVersions;
  items?: Record<string, readonly TicketItem[]>;
  /** Fixed where a form outlives its page, as in the wizard; otherwise random. */
  nonce?: string;
}

const shape = z.object({
  p: z.int(),
  s: z.enum(["staff", "public", "local", "inside"]),
  n: z.string().max(64),
  f: z.record(z.string(), z.union([z.string(), z.number()])),
  v: z.partialRecord(z.enum(["version", "statusVersion"]), z.int()),
  i: z.record(z.string(), z.array(z.union([z.tuple([z.int()]), z.tuple([z.int(), z.int()])]))),
});

export interface FormTicket {
  personId: number;
  site: Site;
  nonce: string;
  fields: Record<string, string | number>;
  versions: SeenVersions;
  items: Record<string, readonly TicketItem[]>;
}

/** Seals the person, site and subject that a page's forms were made for. Undefined when nobody is signed in. */
export function sealTicket(secrets: Secrets, caller: Caller, subject: FormSubject): string | undefined {
  if (!hasAccount(caller.actor)) return undefined;
  return secrets.encrypt(
    "ticket",
    JSON.stringify({
      p: caller.actor.id,
      s: caller.site,
      n: subject.nonce ?? randomUUID(),
      f: subject.fields ?? {},
      v: subject.versions ?? {},
      i: subject.items ?? {},
    }),
  );
}

/** Returns null for a ticket that was altered, invented, or sealed with an unknown secret. Tickets never expire. */
export function openTicket(secrets: Secrets, sealed: string): FormTicket | null {
  const plain = secrets.decrypt("ticket", sealed);
  const parsed = plain === null ? null : shape.safeParse(JSON.parse(plain));
  if (!parsed?.success) return null;
  const { p, s, n, f, v, i } = parsed.data;
  return { personId: p, site: s, nonce: n, fields: f, versions: v, items: i };
}

/**
 * The key that a form's uploads wait under. Forms of one page share its nonce, so place and row are part of the key.
 */
export function stagingKey(ticket: FormTicket, form: FormData): string {
  const own = [form.get("formId") ?? form.get("intent") ?? form.get("defaultIntent"), form.get("item")].join(" ");
  return `${ticket.nonce.slice(0, 40)}-${createHash("sha256").update(own).digest("hex").slice(0, 16)}`;
}

/**
 * Reads the ticket of a form. Its nonce is that of the ticket the form was begun with, also when a conflict issued a
 * newer ticket. `stale` for a ticket that cannot be opened or comes from the other site; null for a form without one.
 */
export function ticketIn(secrets: Secrets, site: Site, form: FormData): FormTicket | "stale" | null {
  const sealed = form.get("ticket");
  if (typeof sealed !== "string" || sealed === "") return null;
  const ticket = openTicket(secrets, sealed);
  if (ticket === null || ticket.site !== site) return "stale";
  const begun = form.get("begun");
  const first = typeof begun === "string" ? openTicket(secrets, begun) : null;
  const isSameForm =
    first !== null && first.personId === ticket.personId && subjectOf(first.fields) === subjectOf(ticket.fields);
  return isSameForm ? { ...ticket, nonce: first.nonce } : ticket;
}

export const subjectOf = (fields: FormSubject["fields"] = {}): string => JSON.stringify(fields);

/**
 * Whether the ticket belongs to the caller: the page was made for this person, or for somebody since merged with them.
 * A caller who is signed out passes, because signing in returns the form to its owner.
 */
export function isOwnTicket(ticket: FormTicket, { actor }: Caller): boolean {
  return !hasAccount(actor) || ticket.personId === actor.id || actor.formerIds.includes(ticket.personId);
}

/**
 * The refusal for a form of one person's page that is sent by another who has signed in at the same browser since.
 * Names both.
 */
export async function otherPersonRefusal(db: Db, { actor }: Caller, { personId }: FormTicket): Promise<Refusal> {
  if (!hasAccount(actor)) return new Refusal("otherPerson");
  const opener = (await findPersonName(db, personId)) ?? "en anden";
  return new Refusal("otherPerson", {
    text: otherPersonText(opener, personName(actor)),
  });
}

/**
 * The input fields that a ticket binds: `item` becomes the row that the pressed button named as `field:number`,
 * `seen` becomes `seenVersion`, and `newest` becomes `newestShown`,
 * the highest number of these rows on the page, or 0. Throws `notInScope` for a row that the page did not show.
 */
export function boundFields(
  ticket: FormTicket,
  { item, seen, newest }: { item: string | null; seen: keyof SeenVersions; newest?: string },
): Record<string, string> {
  const bound: Record<string, string | number> = { ...ticket.fields };
  let version = ticket.versions[seen];
  if (item !== null) {
    const [field = "", id = ""] = item.split(":");
    const row = Object.hasOwn(ticket.items, field)
      ? ticket.items[field]!.find(([each]) => String(each) === id)
      : undefined;
    if (row === undefined) throw new Refusal("notInScope");
    bound[field] = row[0];
    version = row[1];
  }
  if (newest !== undefined) bound.newestShown = Math.max(0, ...(ticket.items[newest] ?? []).map(([id]) => id));
  if (version !== undefined) bound.seenVersion = version;
  return Object.fromEntries(Object.entries(bound).map(([name, value]) => [name, String(value)]));
}
