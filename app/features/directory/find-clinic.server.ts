import type { DbOrTx } from "~db/connection.server";

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

/** A clinic as others show it, or null. Runs in the caller's transaction. */
export async function findClinic(db: DbOrTx, id: number): Promise<ClinicCard | null> {
  return (await db.selectFrom("clinic").select(columns).where("id", "=", id).executeTakeFirst()) ?? null;
}

/** Every clinic a user belongs to. */
export async function clinicIdsOf(db: DbOrTx, userId: number): Promise<number[]> {
  const rows = await db.selectFrom("user_clinic").select("clinic_id").where("user_id", "=", userId).execute();
  return rows.map((row) => row.clinic_id);
}
