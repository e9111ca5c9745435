import { type Expression, type ExpressionBuilder, type SqlBool } from "kysely";
import type { DbOrTx } from "~db/connection.server";
import type { Database } from "~db/schema";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName, nameTokens } from "~/text/names";
import type { ClinicCard } from "./find-clinic.server";

export interface Referrer {
  id: number;
  name: string;
  email: string;
  clinicId: number | null;
  clinicName: string;
  /** 'Henviser id'; its absence is what the overview paints yellow. */
  externalId: string | null;
  /** His primary clinic's card. */
  clinic: ClinicCard | null;
}

/** A longer list is no help to anyone: search more exactly. */
export const LONGEST_LIST = 50;

/** Active referrers a person may choose among: staff all, a secretary those of her clinics; by words of the name or the clinic. */
export async function findReferrers(
  db: DbOrTx,
  person: Person,
  search: string,
  most = LONGEST_LIST,
): Promise<Referrer[]> {
  const words = nameTokens(search);
  const rows = await referrerQuery(db)
    .where((eb) => inReach(eb, person))
    .where((eb) =>
      eb.and(
        words.map((word) =>
          eb.or([eb("user.name_norm", "like", `%${word}%`), eb("clinic.name_norm", "like", `%${word}%`)]),
        ),
      ),
    )
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .limit(most)
    .execute();
  return rows.map(toReferrer);
}

/** One referrer that the person may name, or null: also for an id that does not exist, so that nobody learns which do. */
export async function findReferrerToName(db: DbOrTx, person: Person, id: number): Promise<Referrer | null> {
  const row = await referrerQuery(db)
    .where("user.id", "=", id)
    .where((eb) => inReach(eb, person))
    .executeTakeFirst();
  return row ? toReferrer(row) : null;
}

/** The referrers among some users, by name; also those who are no longer active. */
export async function findReferrersByIds(db: DbOrTx, ids: number[]): Promise<Referrer[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom("user")
    .innerJoin("user_role", (join) =>
      join.onRef("user_role.user_id", "=", "user.id").on("user_role.role", "=", "Dentist"),
    )
    .leftJoin("user_clinic", (join) =>
      join.onRef("user_clinic.user_id", "=", "user.id").on("user_clinic.is_primary", "=", 1),
    )
    .leftJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(referrerColumns)
    .where("user.id", "in", ids)
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .execute();
  return rows.map(toReferrer);
}

/** A referrer by id, whoever asks; for showing who a referral came from. */
export async function findReferrer(db: DbOrTx, id: number): Promise<Referrer | null> {
  const row = await db
    .selectFrom("user")
    .leftJoin("user_clinic", (join) =>
      join.onRef("user_clinic.user_id", "=", "user.id").on("user_clinic.is_primary", "=", 1),
    )
    .leftJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(referrerColumns)
    .where("user.id", "=", id)
    .executeTakeFirst();
  return row ? toReferrer(row) : null;
}

const referrerColumns = [
  "user.id",
  "user.first_name",
  "user.last_name",
  "user.email",
  "user.dentist_external_id",
  "clinic.id as clinic_id",
  "clinic.name as clinic_name",
  "clinic.address as clinic_address",
  "clinic.zip as clinic_zip",
  "clinic.city as clinic_city",
  "clinic.phone as clinic_phone",
  "clinic.fax as clinic_fax",
  "clinic.email as clinic_email",
] as const;

/** A row of these columns; a referrer without a clinic has none of the latter. */
interface ReferrerRow {
  id: number;
  first_name: string;
  last_name: string;
  email: string;
  dentist_external_id: string | null;
  clinic_id: number | null;
  clinic_name: string | null;
  clinic_address: string | null;
  clinic_zip: string | null;
  clinic_city: string | null;
  clinic_phone: string | null;
  clinic_fax: string | null;
  clinic_email: string | null;
}

function referrerQuery(db: DbOrTx) {
  return db
    .selectFrom("user")
    .innerJoin("user_role", (join) =>
      join.onRef("user_role.user_id", "=", "user.id").on("user_role.role", "=", "Dentist"),
    )
    .leftJoin("user_clinic", (join) =>
      join.onRef("user_clinic.user_id", "=", "user.id").on("user_clinic.is_primary", "=", 1),
    )
    .leftJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(referrerColumns)
    .where("user.status", "=", 1);
}

type OnUser = ExpressionBuilder<Database, "user">;

function inReach(eb: OnUser, person: Person): Expression<SqlBool> {
  if (can(person, "directory.seeAll")) return eb.and([]);
  return eb.exists(
    eb
      .selectFrom("user_clinic as theirs")
      .select("theirs.user_id")
      .whereRef("theirs.user_id", "=", "user.id")
      .where("theirs.clinic_id", "in", person.clinicIds.length > 0 ? person.clinicIds : [0]),
  );
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

/** A referrer as a picker shows him: his label, and the two cards of step 2. */
export function referrerChoice(referrer: Referrer) {
  const { id, name, email, clinic } = referrer;
  return { value: id, label: referrerLabel(referrer), name, email, clinic };
}
export type ReferrerChoice = ReturnType<typeof referrerChoice>;
