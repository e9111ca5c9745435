import type { DbOrTx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { nameTokens, searchKey, sortKey } from "~/text/names";

export interface NewClinic {
  name: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  mobilePhone?: string | null;
  fax?: string | null;
  email: string;
  /** Active by default. */
  status?: number;
}

export async function insertClinic(db: DbOrTx, clinic: NewClinic, now: Date): Promise<number> {
  const row = await db
    .insertInto("clinic")
    .values({
      name: clinic.name,
      name_sort: sortKey(clinic.name),
      name_norm: searchKey(clinic.name),
      address: clinic.address,
      zip: clinic.zip,
      city: clinic.city,
      phone: clinic.phone,
      mobile_phone: clinic.mobilePhone ?? null,
      fax: clinic.fax ?? null,
      email: clinic.email,
      status: clinic.status ?? 1,
      created_at: toMoment(now),
      modified_at: toMoment(now),
    })
    .executeTakeFirstOrThrow();
  const id = Number(row.insertId);
  await rewriteClinicTokens(db, id);
  return id;
}

/** Rewrites a clinic's search words: name, town, postal code, e-mail and phone. */
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

/** Active clinics by name, all or some. */
export function findActiveClinics(
  db: DbOrTx,
  among: "all" | number[],
): Promise<Pick<ClinicCard, "id" | "name" | "address" | "zip" | "city">[]> {
  return db
    .selectFrom("clinic")
    .select(["id", "name", "address", "zip", "city"])
    .where("status", "=", 1)
    .$if(among !== "all", (query) => query.where("id", "in", among.length > 0 ? (among as number[]) : [0]))
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}
