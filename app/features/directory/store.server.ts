import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { toMoment } from "~/text/dates";
import { nameTokens, searchKey, sortKey } from "~/text/names";
import { type DbOrTx, orNone } from "~db/connection.server";
import type { Database } from "~db/schema";
import { ACTIVE, INACTIVE } from "./activity";

const referrerColumns = [
  "user.id",
  "user.firstName",
  "user.lastName",
  "user.email",
  "user.dentistExternalId",
  "clinic.id as clinicId",
  "clinic.name as clinicName",
  "clinic.address as clinicAddress",
  "clinic.zip as clinicZip",
  "clinic.city as clinicCity",
  "clinic.phone as clinicPhone",
  "clinic.fax as clinicFax",
  "clinic.email as clinicEmail",
] as const;

export interface ReferrerRow {
  id: number;
  firstName: string;
  lastName: string;
  email: string;
  dentistExternalId: string | null;
  clinicId: number | null;
  clinicName: string | null;
  clinicAddress: string | null;
  clinicZip: string | null;
  clinicCity: string | null;
  clinicPhone: string | null;
  clinicFax: string | null;
  clinicEmail: string | null;
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
          eb.or([eb("user.nameNorm", "like", `%${word}%`), eb("clinic.nameNorm", "like", `%${word}%`)]),
        ),
      ),
    )
    .orderBy("user.nameSort")
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
  return activeReferrers(db).where("user.ediDentistId", "in", ediIds).orderBy("user.id").limit(50).execute();
}

export function findReferrersAmong(db: DbOrTx, ids: number[]): Promise<ReferrerRow[]> {
  return referrers(db).where("user.id", "in", ids).orderBy("user.nameSort").orderBy("user.id").execute();
}

export function findUsersAsReferrers(db: DbOrTx, ids: number[]): Promise<ReferrerRow[]> {
  return usersAsReferrers(db).where("user.id", "in", ids).execute();
}

/** Active users among some; merged ones are replaced by their successor. */
export function findActiveUsers(
  db: DbOrTx,
  ids: number[],
): Promise<{ id: number; firstName: string; lastName: string; email: string }[]> {
  return reachable(db)
    .select(["user.id", "reached.firstName", "reached.lastName", "reached.email"])
    .where("user.id", "in", ids)
    .where("reached.status", "=", 1)
    .execute();
}

const reachable = (db: DbOrTx) =>
  db
    .selectFrom("user")
    .innerJoin("user as reached", (join) =>
      join.on((eb) => eb("reached.id", "=", eb.fn.coalesce("user.mergedIntoId", "user.id"))),
    );

const activeReferrers = (db: DbOrTx) => referrers(db).where("user.status", "=", 1);

const usersAsReferrers = (db: DbOrTx) =>
  db
    .selectFrom("user")
    .leftJoin("userClinic", (join) =>
      join.onRef("userClinic.userId", "=", "user.id").on("userClinic.isPrimary", "=", true),
    )
    .leftJoin("clinic", "clinic.id", "userClinic.clinicId")
    .select(referrerColumns);

/** The role is a subquery: joined, MariaDB starts from all referrers and sorts them. */
const referrers = (db: DbOrTx) =>
  usersAsReferrers(db).where(
    (eb) =>
      eb
        .selectFrom("userRole")
        .select("userRole.role")
        .whereRef("userRole.userId", "=", "user.id")
        .where("userRole.role", "=", "Dentist"),
    "is not",
    null,
  );

function inReach(eb: ExpressionBuilder<Database, "user">, reach: Reach): Expression<SqlBool> {
  if (reach === "all") return eb.and([]);
  return eb.exists(
    eb
      .selectFrom("userClinic as theirs")
      .select("theirs.userId")
      .whereRef("theirs.userId", "=", "user.id")
      .where("theirs.clinicId", "in", orNone(reach.clinicIds)),
  );
}

/** The receiver of a letter, active or not; a merged user is replaced by the successor. */
export function findUserToWriteTo(db: DbOrTx, id: number) {
  return reachable(db)
    .select([
      "reached.id",
      "reached.firstName",
      "reached.lastName",
      "reached.email",
      "reached.status",
      "reached.ediDentistId",
      "reached.sendEndingLettersViaEdi",
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
  nameSort: sortKey(clinic.name),
  nameNorm: searchKey(clinic.name),
  address: clinic.address,
  zip: clinic.zip,
  city: clinic.city,
  phone: clinic.phone,
  mobilePhone: clinic.mobilePhone ?? null,
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
    .values({ ...clinicColumns(clinic), fax, createdAt: at, modifiedAt: at })
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
  await db.deleteFrom("clinicSearchToken").where("clinicId", "=", id).execute();
  await db
    .insertInto("clinicSearchToken")
    .values([...tokens].map((token) => ({ token, clinicId: id })))
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
  const rows = await db.selectFrom("userClinic").select("clinicId").where("userId", "=", userId).execute();
  return rows.map((row) => row.clinicId);
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
    .orderBy("nameSort")
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
    .innerJoin("userRole", (join) => join.onRef("userRole.userId", "=", "user.id").on("userRole.role", "=", "Surgeon"))
    .select(["user.id", "user.firstName", "user.lastName", "user.email"])
    .where((eb) => eb.or([eb("user.status", "=", 1), eb("user.id", "=", chosenId ?? 0)]))
    .orderBy("user.nameSort")
    .orderBy("user.id")
    .execute();
}

export const inactiveSurgeonIds = (eb: ExpressionBuilder<Database, "referral">) =>
  eb
    .selectFrom("user")
    .innerJoin("userRole", (join) => join.onRef("userRole.userId", "=", "user.id").on("userRole.role", "=", "Surgeon"))
    .select("user.id")
    .where("user.status", "=", INACTIVE);
