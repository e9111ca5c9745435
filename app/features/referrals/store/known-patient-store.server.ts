import type { DbOrTx } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { draftScope, referralScope } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { CLOSED } from "~/features/referrals/model/status";

export interface KnownPatient {
  firstName: string;
  lastName: string;
  profession: string;
  address: string;
  zip: string;
  city: string;
  mobilePhone: string;
  phone: string;
  email: string;
}

/** The patient as in the newest referral or draft in scope, or null. */
export async function findKnownPatient(
  db: DbOrTx,
  secrets: Secrets,
  actor: Actor,
  cpr: string,
): Promise<KnownPatient | null> {
  const row = await db
    .selectFrom("referral")
    .select(["first_name", "last_name", "profession", "address", "zip", "city", "mobile_phone", "phone", "email"])
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .where((eb) => eb.or([referralScope(actor)(eb), draftScope(actor)(eb)]))
    .orderBy("create_date", "desc")
    .limit(1)
    .executeTakeFirst();
  if (!row) return null;
  return {
    firstName: row.first_name,
    lastName: row.last_name,
    profession: row.profession ?? "",
    address: row.address ?? "",
    zip: row.zip ?? "",
    city: row.city ?? "",
    mobilePhone: row.mobile_phone ?? "",
    phone: row.phone ?? "",
    email: row.email ?? "",
  };
}

/** Drafts of a CPR number in scope, newest first. */
export async function findDraftsFor(
  db: DbOrTx,
  secrets: Secrets,
  actor: Actor,
  cpr: string,
): Promise<{ id: number; date: string }[]> {
  const rows = await db
    .selectFrom("referral")
    .select(["id", "create_date"])
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .where(draftScope(actor))
    .orderBy("create_date", "desc")
    .limit(10)
    .execute();
  return rows.map((row) => ({ id: row.id, date: row.create_date }));
}

/** Open sent referrals of a CPR number in scope. */
export async function findOpenReferralsFor(
  db: DbOrTx,
  secrets: Secrets,
  actor: Actor,
  cpr: string,
): Promise<{ id: number; date: string }[]> {
  const rows = await db
    .selectFrom("referral")
    .select(["id", "create_date"])
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .where("status", "!=", CLOSED)
    .where(referralScope(actor))
    .orderBy("create_date", "desc")
    .limit(10)
    .execute();
  return rows.map((row) => ({ id: row.id, date: row.create_date }));
}
