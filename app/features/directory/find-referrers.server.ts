import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName, searchedWords } from "~/text/names";
import { tellApart, type ToldApart } from "~/text/tell-apart";
import { isLabel } from "~/text/typed-choice";
import type { ClinicCard } from "./clinic-store.server";
import {
  findActiveReferrer,
  findActiveUsers,
  findReferrersAmong,
  findReferrersWithEdiId,
  findUsersAsReferrers,
  type Reach,
  type ReferrerRow,
  searchReferrers,
} from "./referrer-store.server";

export interface Referrer {
  id: number;
  name: string;
  email: string;
  clinicId: number | null;
  clinicName: string;
  /** 'Henviser id'; its absence is what the overview paints yellow. */
  externalId: string | null;
  /** The primary clinic's card. */
  clinic: ClinicCard | null;
}

/** A longer list is no help to anyone: search more exactly. */
export const MAX_REFERRERS = 50;

/** Active referrers a person may choose among: staff all, a secretary those of their clinics; by words of the name or the clinic. */
export async function findReferrers(
  db: DbOrTx,
  person: Person,
  search: string,
  limit = MAX_REFERRERS,
): Promise<Referrer[]> {
  const rows = await searchReferrers(db, reachOf(person), { words: searchedWords(search), limit });
  return rows.map(toReferrer);
}

/** One referrer that the person may name, or null: also for an id that does not exist, so that the answer does not reveal which do. */
export async function findReferrerToName(db: DbOrTx, person: Person, id: number): Promise<Referrer | null> {
  const row = await findActiveReferrer(db, reachOf(person), id);
  return row ? toReferrer(row) : null;
}

/**
 * The referrer that a form names: by the id that was chosen, or by a text that fits one alone. Null for nobody, and where the text in the field
 * is not the label of that id.
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

/** 'Ole Sørensen (klinik: Tandhuset)' as the words that are searched for. */
const withoutMarks = (label: string) => label.replace(CLINIC_MARK, " ").replace(")", " ");

/** The referrers among some users, by name; also those who are no longer active. */
export async function findReferrersByIds(db: DbOrTx, ids: number[]): Promise<Referrer[]> {
  if (ids.length === 0) return [];
  return (await findReferrersAmong(db, ids)).map(toReferrer);
}

/** Active referrers who have this EDI id: those of a practice may share one. */
export async function findReferrersByEdiId(db: DbOrTx, ediId: string): Promise<(Referrer & NameParts)[]> {
  const rows = await findReferrersWithEdiId(db, [ediId]);
  return rows.map((row) => ({ ...toReferrer(row), firstName: row.first_name, lastName: row.last_name }));
}

interface NameParts {
  firstName: string;
  lastName: string;
}

/** A referrer by id, whoever asks; for showing who a referral came from. */
export async function findReferrer(db: DbOrTx, id: number): Promise<Referrer | null> {
  return (await findNamedUsers(db, [id])).get(id) ?? null;
}

/** The users whom a row names in several columns, by id, whoever asks and whatever their role. */
export async function findNamedUsers(db: DbOrTx, ids: (number | null)[]): Promise<Map<number | null, Referrer>> {
  const named = [...new Set(ids.filter((id) => id !== null))];
  if (named.length === 0) return new Map();
  return new Map((await findUsersAsReferrers(db, named)).map((row) => [row.id, toReferrer(row)]));
}

/** Those among some users who are active, with the address to write to. */
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

/** 'name (klinik: clinic)'; without a clinic the name alone. */
export function referrerLabel({ name, clinicName }: Pick<Referrer, "name" | "clinicName">): string {
  return clinicName === "" ? name : `${name} (klinik: ${clinicName})`;
}

/** What tells a referrer from another of the same name and clinic: 'mail@klinik.dk · Åvej 1, 8000 Aarhus' */
function referrerHint({ email, clinic }: Pick<Referrer, "email" | "clinic">): string {
  return [email, clinic && `${clinic.address}, ${clinic.zip} ${clinic.city}`].filter(Boolean).join(" · ");
}

/** A referrer in a list to choose from. */
export const referrerOption = (referrer: Referrer) => ({
  value: referrer.id,
  label: referrerLabel(referrer),
  hint: referrerHint(referrer),
});

/** Referrers in a plain list, where there is no room for a hint beside each. */
export const referrerChoices = (referrers: readonly Referrer[]): ToldApart[] =>
  tellApart(
    referrers.map((referrer) => ({ value: referrer.id, label: referrerLabel(referrer), apart: referrer.email })),
  );

/** A referrer as a picker shows them: the option, and the two cards of step 2. */
export function referrerChoice(referrer: Referrer) {
  const { name, email, clinic } = referrer;
  return { ...referrerOption(referrer), name, email, clinic };
}
