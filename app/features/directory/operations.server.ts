import { z } from "zod";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName, searchedWords } from "~/text/names";
import { tellApart, type ToldApart } from "~/text/tell-apart";
import {
  countActiveClinics,
  findActiveClinics,
  findSurgeonRows,
  findUserToWriteTo,
  findClinic,
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
import { type ChangeContext, read } from "~/access/operation.server";
import { COUNTS } from "~/lists/read-page.server";
import { Refusal } from "~/access/refusal";
import { isLabel, isLabelOrNone } from "~/text/typed-choice";

export type DirectoryChoice = ToldApart;

export function invalidateDirectory({ afterCommit, portal }: Pick<ChangeContext, "afterCommit" | "portal">): void {
  afterCommit(() => portal.cache.invalidate(COUNTS, "choices of"));
}

/** A limit, because pages list every active clinic to choose from. Undoing a merge may pass it. */
export const MAX_ACTIVE_CLINICS = 3000;

export const tooManyClinics = "Der kan højst være 3.000 aktive klinikker. Gør dem inaktive, der ikke bruges.";

/** Throws `invalid` where one more clinic would be over the limit of active ones. */
export async function refuseAnotherClinic(tx: Tx): Promise<void> {
  if ((await countActiveClinics(tx)) >= MAX_ACTIVE_CLINICS) throw new Refusal("invalid", { text: tooManyClinics });
}

/** Active clinics by name: all for staff, otherwise one's own (GET /Clinics/active-only). */
export async function findClinicChoices(db: DbOrTx, person: Person): Promise<DirectoryChoice[]> {
  const rows = await findActiveClinics(db, clinicsOfReach(person));
  return tellApart(rows.map(({ id, name, ...row }) => ({ value: id, label: name, apart: addressLine(row) })));
}

/** The active clinic of this id that the person may choose; null without one. */
export async function findChosenClinic(
  db: DbOrTx,
  person: Person,
  id: number | null | undefined,
): Promise<{ value: number; label: string } | null> {
  const [clinic] = id == null ? [] : await findActiveClinics(db, clinicsOfReach(person), id);
  return clinic ? { value: clinic.id, label: clinic.name } : null;
}

const clinicsOfReach = (person: Person) => (can(person, "directory.seeAll") ? "all" : person.clinicIds);

const addressLine = ({ address, zip, city }: { address: string; zip: string; city: string }) =>
  [address, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");

export async function findSurgeonChoices(db: DbOrTx, chosenId: number | null = null): Promise<DirectoryChoice[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return tellApart(rows.map((row) => ({ value: row.id, label: fullName(row), apart: row.email })));
}

export async function findSurgeons(
  db: DbOrTx,
  chosenId: number | null = null,
): Promise<{ id: number; name: string }[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return rows.map((row) => ({ id: row.id, name: fullName(row) }));
}

/** Surgeons that a referral can be given to (GET /Surgeons). */
export const listSurgeons = read({
  name: "listSurgeons",
  permission: "referral.editSent",
  async run({ db }) {
    return { surgeons: (await findSurgeons(db)).map(({ id, name }) => ({ id, fullName: name })) };
  },
});

const ALL = 10_000;

/** Referrers whom the person may choose, at most 10,000. */
export const listReferrers = read({
  name: "listDoctors",
  permission: "referral.chooseReferrer",
  async run({ db, person }) {
    const referrers = await findReferrers(db, person, "", ALL);
    return { referrers: referrers.map(({ id, name, clinicName }) => ({ id, fullName: name, clinic: clinicName })) };
  },
});

export const listClinics = read({
  name: "listClinics",
  permission: "referral.read",
  async run({ db, person }) {
    return { clinics: (await findClinicChoices(db, person)).map(({ value, label }) => ({ id: value, name: label })) };
  },
});

/** A clinic's card. Throws `notInScope`, also for an inactive one. */
export const readClinic = read({
  name: "readClinic",
  permission: "referral.read",
  input: z.object({ clinicId: z.number().int() }),
  async run({ db, person }, { clinicId }) {
    const clinic = (await findChosenClinic(db, person, clinicId)) ? await findClinic(db, clinicId) : null;
    if (!clinic) throw new Refusal("notInScope", { text: "Klinikken findes ikke, eller du har ikke adgang til den." });
    const { id, name, address, city, zip, phone, fax } = clinic;
    return { id, name, address, city, zip, phone, fax };
  },
});

export interface LetterReceiver {
  id: number;
  name: string;
  email: string;
  isActive: boolean;
  wantsEdi: boolean;
  ediId: string | null;
}

export async function findLetterReceiver(db: DbOrTx, referrerId: number | null): Promise<LetterReceiver | null> {
  const user = referrerId === null ? undefined : await findUserToWriteTo(db, referrerId);
  return user === undefined
    ? null
    : {
        id: user.id,
        name: fullName(user),
        email: user.email.trim(),
        isActive: user.status === 1,
        ediId: user.ediDentistId,
        wantsEdi: user.sendEndingLettersViaEdi && Boolean(user.ediDentistId),
      };
}

export async function findPersonEmail(db: DbOrTx, personId: number | null): Promise<string | null> {
  return personId === null ? null : ((await findUserToWriteTo(db, personId))?.email ?? null);
}

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
    return chosen && isLabelOrNone(referrerLabel(chosen), text) ? chosen : null;
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
  return rows.map((row) => ({ ...toReferrer(row), firstName: row.firstName, lastName: row.lastName }));
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
    clinicId: row.clinicId,
    clinicName: row.clinicName ?? "",
    externalId: row.dentistExternalId,
    clinic: clinicOf(row),
  };
}

function clinicOf(row: ReferrerRow): ClinicCard | null {
  if (row.clinicId === null) return null;
  const text = (value: string | null) => value ?? "";
  return {
    id: row.clinicId,
    name: text(row.clinicName),
    address: text(row.clinicAddress),
    zip: text(row.clinicZip),
    city: text(row.clinicCity),
    phone: text(row.clinicPhone),
    fax: row.clinicFax,
    email: text(row.clinicEmail),
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
