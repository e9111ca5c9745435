import type { DbOrTx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { searchKey, sortKey } from "~/text/names";

export interface NewClinic {
  name: string;
  address: string;
  zip: string;
  city: string;
  phone: string;
  mobilePhone?: string | null;
  fax?: string | null;
  email: string;
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
      status: 1,
      created_at: toMoment(now),
      modified_at: toMoment(now),
    })
    .executeTakeFirstOrThrow();
  return Number(row.insertId);
}
