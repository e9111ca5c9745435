import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { toMoment } from "~/text/dates";
import { nameTokens, searchKey, sortKey } from "~/text/names";
import { type DbOrTx, orNone } from "~db/connection.server";
import type { Database } from "~db/schema";
import { ACTIVE } from "./activity";

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

export interface ReferrerRow {
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

export type Reach = "all" | { clinicIds: number[] };

export function searchReferrers(
  db: DbOrTx,
  reach: Reach,
  { words, limit }: { words: string[]; limit: number },
): Promise<ReferrerRow[]> {
  return activeReferrers(db)
    .where((eb) => inReach(eb, reach))
    .where((eb) =>
      eb.and(
        words.map((word) =>
          eb.or([eb("user.name_norm", "like", `%${word}%`), eb("clinic.name_norm", "like", `%${word}%`)]),
        ),
      ),
    )
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .limit(limit)
    .execute();
}

export function findActiveReferrer(db: DbOrTx, reach: Reach, id: number): Promise<ReferrerRow | undefined> {
  return activeReferrers(db)
    .where("user.id", "=", id)
    .where((eb) => inReach(eb, reach))
    .executeTakeFirst();
}

export function findReferrersWithEdiId(db: DbOrTx, ediIds: string[]): Promise<ReferrerRow[]> {
  return activeReferrers(db).where("user.edi_dentist_id", "in", ediIds).orderBy("user.id").limit(50).execute();
}

export function findReferrersAmong(db: DbOrTx, ids: number[]): Promise<ReferrerRow[]> {
  return referrers(db).where("user.id", "in", ids).orderBy("user.name_sort").orderBy("user.id").execute();
}

export function findUsersAsReferrers(db: DbOrTx, ids: number[]): Promise<ReferrerRow[]> {
  return usersAsReferrers(db).where("user.id", "in", ids).execute();
}

/** Active users among some; merged ones are replaced by their successor. */
export function findActiveUsers(
  db: DbOrTx,
  ids: number[],
): Promise<{ id: number; first_name: string; last_name: string; email: string }[]> {
  return reachable(db)
    .select(["user.id", "reached.first_name", "reached.last_name", "reached.email"])
    .where("user.id", "in", ids)
    .where("reached.status", "=", 1)
    .execute();
}

const reachable = (db: DbOrTx) =>
  db
    .selectFrom("user")
    .innerJoin("user as reached", (join) =>
      join.on((eb) => eb("reached.id", "=", eb.fn.coalesce("user.merged_into_id", "user.id"))),
    );

const activeReferrers = (db: DbOrTx) => referrers(db).where("user.status", "=", 1);

const usersAsReferrers = (db: DbOrTx) =>
  db
    .selectFrom("user")
    .leftJoin("user_clinic", (join) =>
      join.onRef("user_clinic.user_id", "=", "user.id").on("user_clinic.is_primary", "=", 1),
    )
    .leftJoin("clinic", "clinic.id", "user_clinic.clinic_id")
    .select(referrerColumns);

/** The role is a subquery: joined, MariaDB starts from all referrers and sorts them. */
const referrers = (db: DbOrTx) =>
  usersAsReferrers(db).where(
    (eb) =>
      eb
        .selectFrom("user_role")
        .select("user_role.role")
        .whereRef("user_role.user_id", "=", "user.id")
        .where("user_role.role", "=", "Dentist"),
    "is not",
    null,
  );

function inReach(eb: ExpressionBuilder<Database, "user">, reach: Reach): Expression<SqlBool> {
  if (reach === "all") return eb.and([]);
  return eb.exists(
    eb
      .selectFrom("user_clinic as theirs")
      .select("theirs.user_id")
      .whereRef("theirs.user_id", "=", "user.id")
      .where("theirs.clinic_id", "in", orNone(reach.clinicIds)),
  );
}

/** The receiver of a letter, active or not; a merged user is replaced by the successor. */
export function findUserToWriteTo(db: DbOrTx, id: number) {
  return reachable(db)
    .select([
      "reached.id",
      "reached.first_name",
      "reached.last_name",
      "reached.email",
      "reached.status",
      "reached.edi_dentist_id",
      "reached.send_ending_letters_via_edi",
    ])
    .where("user.id", "=", id)
    .executeTakeFirst();
}

export interface ClinicValues {
  name: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  mobilePhone?: string | null;
  email: string;
  status?: number;
}

export const clinicColumns = (clinic: ClinicValues) => ({
  name: clinic.name,
  name_sort: sortKey(clinic.name),
  name_norm: searchKey(clinic.name),
  address: clinic.address,
  zip: clinic.zip,
  city: clinic.city,
  phone: clinic.phone,
  mobile_phone: clinic.mobilePhone ?? null,
  email: clinic.email,
  status: clinic.status ?? ACTIVE,
});

export async function insertClinic(
  db: DbOrTx,
  { fax = null, ...clinic }: ClinicValues & { fax?: string | null },
  now: Date,
): Promise<number> {
  const at = toMoment(now);
  const row = await db
    .insertInto("clinic")
    .values({ ...clinicColumns(clinic), fax, created_at: at, modified_at: at })
    .executeTakeFirstOrThrow();
  const id = Number(row.insertId);
  await rewriteClinicTokens(db, id);
  return id;
}

export async function rewriteClinicTokens(db: DbOrTx, id: number): Promise<void> {
  const { name, city, zip, email, phone } = await db
    .selectFrom("clinic")
    .select(["name", "city", "zip", "email", "phone"])
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  const tokens = new Set([name, city, zip, email, phone].flatMap(nameTokens));
  await db.deleteFrom("clinic_search_token").where("clinic_id", "=", id).execute();
  await db
    .insertInto("clinic_search_token")
    .values([...tokens].map((token) => ({ token, clinic_id: id })))
    .execute();
}

export interface ClinicCard {
  id: number;
  name: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  fax: string | null;
  email: string;
}

const columns = ["id", "name", "address", "zip", "city", "phone", "fax", "email"] as const;

export async function findClinic(db: DbOrTx, id: number): Promise<ClinicCard | null> {
  return (await db.selectFrom("clinic").select(columns).where("id", "=", id).executeTakeFirst()) ?? null;
}

export async function clinicIdsOf(db: DbOrTx, userId: number): Promise<number[]> {
  const rows = await db.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.clinic_id);
}

export function findActiveClinics(
  db: DbOrTx,
  among: "all" | number[],
  id?: number,
): Promise<Pick<ClinicCard, "id" | "name" | "address" | "zip" | "city">[]> {
  return db
    .selectFrom("clinic")
    .select(["id", "name", "address", "zip", "city"])
    .where("status", "=", 1)
    .$if(among !== "all", (query) => query.where("id", "in", orNone(among as number[])))
    .$if(id !== undefined, (query) => query.where("id", "=", id!))
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}

export async function countActiveClinics(db: DbOrTx): Promise<number> {
  const { count } = await db
    .selectFrom("clinic")
    .select((eb) => eb.fn.countAll<number>().as("count"))
    .where("status", "=", ACTIVE)
    .executeTakeFirstOrThrow();
  return Number(count);
}

export function findSurgeonRows(db: DbOrTx, chosenId: number | null) {
  return db
    .selectFrom("user")
    .innerJoin("user_role", (join) =>
      join.onRef("user_role.user_id", "=", "user.id").on("user_role.role", "=", "Surgeon"),
    )
    .select(["user.id", "user.first_name", "user.last_name", "user.email"])
    .where((eb) => eb.or([eb("user.status", "=", 1), eb("user.id", "=", chosenId ?? 0)]))
    .orderBy("user.name_sort")
    .orderBy("user.id")
    .execute();
}
