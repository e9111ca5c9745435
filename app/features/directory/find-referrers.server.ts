import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName, searchedWords } from "~/text/names";
import { tellApart, type ToldApart } from "~/text/tell-apart";
import { isLabel } from "~/text/typed-choice";
import {
  type ClinicCard,
  findActiveReferrer,
  findActiveUsers,
  findReferrersAmong,
  findReferrersWithEdiId,
  findUsersAsReferrers,
  type Reach,
  type ReferrerRow,
  searchReferrers,
} from "./store.server";

export interface Referrer {
  id: number;
  name: string;
  email: string;
  clinicId: number | null;
  clinicName: string;
  externalId: string | null;
  clinic: ClinicCard | null;
}

export const MAX_REFERRERS = 50;

/**
 * Active referrers the person may choose, by words of name or clinic: all for staff, those of their clinics for a
 * secretary.
 */
export async function findReferrers(
  db: DbOrTx,
  person: Person,
  search: string,
  limit = MAX_REFERRERS,
): Promise<Referrer[]> {
  const rows = await searchReferrers(db, reachOf(person), { words: searchedWords(search), limit });
  return rows.map(toReferrer);
}

/** A referrer the person may name, or null, also for unknown ids, so that the answer does not reveal which exist. */
export async function findReferrerToName(db: DbOrTx, person: Person, id: number): Promise<Referrer | null> {
  const row = await findActiveReferrer(db, reachOf(person), id);
  return row ? toReferrer(row) : null;
}

/**
 * The referrer a form names by id, or by a text that matches exactly one. Null if none, or if the text is not that id's
 * label.
 */
export async function findChosenReferrer(
  db: DbOrTx,
  person: Person,
  { id, text }: { id: number | undefined; text: string | undefined },
): Promise<Referrer | null> {
  if (id !== undefined) {
    const chosen = await findReferrerToName(db, person, id);
    return chosen && (text === undefined || isLabel(referrerLabel(chosen), text)) ? chosen : null;
  }
  if (text === undefined || searchedWords(text).length === 0) return null;
  const found = await findReferrers(db, person, withoutMarks(text));
  const named = found.filter((referrer) => isLabel(referrerLabel(referrer), text));
  const [only, ...others] = named.length > 0 ? named : found;
  return only && others.length === 0 ? only : null;
}

const CLINIC_MARK = "(klinik: ";

/** Removes punctuation from 'Ole Sørensen (klinik: Tandhuset)', leaving search words. */
const withoutMarks = (label: string) => label.replace(CLINIC_MARK, " ").replace(")", " ");

export async function findReferrersByIds(db: DbOrTx, ids: number[]): Promise<Referrer[]> {
  if (ids.length === 0) return [];
  return (await findReferrersAmong(db, ids)).map(toReferrer);
}

/** Active referrers with this EDI id; a practice may share one. */
export async function findReferrersByEdiId(db: DbOrTx, ediId: string): Promise<(Referrer & NameParts)[]> {
  const rows = await findReferrersWithEdiId(db, [ediId]);
  return rows.map((row) => ({ ...toReferrer(row), firstName: row.first_name, lastName: row.last_name }));
}

interface NameParts {
  firstName: string;
  lastName: string;
}

export async function findReferrer(db: DbOrTx, id: number): Promise<Referrer | null> {
  return (await findNamedUsers(db, [id])).get(id) ?? null;
}

export async function findNamedUsers(db: DbOrTx, ids: (number | null)[]): Promise<Map<number | null, Referrer>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  return new Map((await findUsersAsReferrers(db, named)).map((row) => [row.id, toReferrer(row)]));
}

export async function findRecipients(db: DbOrTx, ids: number[]): Promise<Pick<Referrer, "id" | "name" | "email">[]> {
  if (ids.length === 0) return [];
  const rows = await findActiveUsers(db, ids);
  return rows.map((row) => ({ id: row.id, name: fullName(row), email: row.email }));
}

function reachOf(person: Person): Reach {
  return can(person, "directory.seeAll") ? "all" : { clinicIds: person.clinicIds };
}

function toReferrer(row: ReferrerRow): Referrer {
  return {
    id: row.id,
    name: fullName(row),
    email: row.email,
    clinicId: row.clinic_id,
    clinicName: row.clinic_name ?? "",
    externalId: row.dentist_external_id,
    clinic: clinicOf(row),
  };
}

function clinicOf(row: ReferrerRow): ClinicCard | null {
  if (row.clinic_id === null) return null;
  const text = (value: string | null) => value ?? "";
  return {
    id: row.clinic_id,
    name: text(row.clinic_name),
    address: text(row.clinic_address),
    zip: text(row.clinic_zip),
    city: text(row.clinic_city),
    phone: text(row.clinic_phone),
    fax: row.clinic_fax,
    email: text(row.clinic_email),
  };
}

export function referrerLabel({ name, clinicName }: Pick<Referrer, "name" | "clinicName">): string {
  return clinicName === "" ? name : `${name} (klinik: ${clinicName})`;
}

function referrerHint({ email, clinic }: Pick<Referrer, "email" | "clinic">): string {
  return [email, clinic && `${clinic.address}, ${clinic.zip} ${clinic.city}`].filter(Boolean).join(" · ");
}

export const referrerOption = (referrer: Referrer) => ({
  value: referrer.id,
  label: referrerLabel(referrer),
  hint: referrerHint(referrer),
});

export const referrerChoices = (referrers: readonly Referrer[]): ToldApart[] =>
  tellApart(
    referrers.map((referrer) => ({ value: referrer.id, label: referrerLabel(referrer), apart: referrer.email })),
  );

export function referrerChoice(referrer: Referrer) {
  const { name, email, clinic } = referrer;
  return { ...referrerOption(referrer), name, email, clinic };
}
