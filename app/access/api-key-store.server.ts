import { sql } from "kysely";
import { type DbOrTx, type Tx, changesAny } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import type { KeyScope } from "./actor";
import { tokenHash } from "./secrets.server";

export interface NewKey {
  name: string;
  token: string;
  hint: string;
  scopes: readonly KeyScope[];
  clinicId: number | null;
  userId: number;
  creatorId: number;
  addresses: readonly string[];
  callsPerMinute: number;
  expiresAt: Date;
}

export async function insertApiKey(tx: Tx, key: NewKey, now: Date): Promise<number> {
  const { insertId } = await tx
    .insertInto("api_key")
    .values({
      name: key.name,
      key_hash: tokenHash(key.token),
      key_hint: key.hint,
      scopes: key.scopes.join(","),
      clinic_id: key.clinicId,
      user_id: key.userId,
      creator_id: key.creatorId,
      addresses: key.addresses.join(" "),
      calls_per_minute: key.callsPerMinute,
      created_at: toMoment(now),
      expires_at: toMoment(key.expiresAt),
      last_used_at: null,
      revoked_at: null,
      revoked_by: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Finds a key by its hash with its creator and account, in whatever state; called once per API call. */
export function findApiKeyRow(db: DbOrTx, token: string) {
  return db
    .selectFrom("api_key")
    .innerJoin("user", "user.id", "api_key.user_id")
    .innerJoin("user as maker", "maker.id", "api_key.creator_id")
    .where("api_key.key_hash", "=", tokenHash(token))
    .select([
      "api_key.id",
      "api_key.name",
      "api_key.scopes",
      "api_key.clinic_id",
      "api_key.addresses",
      "api_key.calls_per_minute",
      "api_key.expires_at",
      "api_key.last_used_at",
      "api_key.revoked_at",
      "user.id as user_id",
      "user.user_name",
      "user.first_name",
      "user.last_name",
      "user.email",
      "user.status as user_status",
      "maker.status as maker_status",
    ])
    .select((eb) => [
      eb
        .selectFrom("clinic as former")
        .whereRef("former.merged_into_id", "=", "api_key.clinic_id")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("former_clinic_ids"),
      eb
        .selectFrom("user_clinic")
        .whereRef("user_clinic.user_id", "=", "user.id")
        .where("user_clinic.is_primary", "=", 1)
        .select("user_clinic.clinic_id")
        .limit(1)
        .as("primary_clinic_id"),
      eb
        .selectFrom("user_clinic as membership")
        .whereRef("membership.user_id", "=", "user.id")
        .whereRef("membership.clinic_id", "=", "api_key.clinic_id")
        .select("membership.user_id")
        .limit(1)
        .as("member_id"),
    ])
    .executeTakeFirst();
}

export async function isMember(db: DbOrTx, userId: number, clinicId: number): Promise<boolean> {
  const row = await db
    .selectFrom("user_clinic")
    .select("user_id")
    .where("user_id", "=", userId)
    .where("clinic_id", "=", clinicId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateLastUsed(db: DbOrTx, id: number, now: Date): Promise<void> {
  await db
    .updateTable("api_key")
    .set({ last_used_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

export function revokeApiKey(tx: Tx, id: number, by: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("api_key")
      .set({ revoked_at: toMoment(now), revoked_by: by })
      .where("id", "=", id)
      .where("revoked_at", "is", null),
  );
}

export async function endKeysOfUser(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable("api_key")
    .set({ revoked_at: toMoment(now) })
    .where((eb) => eb.or([eb("user_id", "=", userId), eb("creator_id", "=", userId)]))
    .where("revoked_at", "is", null)
    .execute();
}

export async function endKeysOfClinics(tx: Tx, clinicIds: readonly number[], now: Date): Promise<void> {
  if (clinicIds.length === 0) return;
  await tx
    .updateTable("api_key")
    .set({ revoked_at: toMoment(now) })
    .where("clinic_id", "in", clinicIds)
    .where("revoked_at", "is", null)
    .execute();
}

export const findApiKeys = (db: DbOrTx, { limit }: { limit: number }) =>
  db
    .selectFrom("api_key")
    .innerJoin("user as maker", "maker.id", "api_key.creator_id")
    .innerJoin("user", "user.id", "api_key.user_id")
    .leftJoin("clinic", "clinic.id", "api_key.clinic_id")
    .select([
      "api_key.id",
      "api_key.name",
      "api_key.key_hint",
      "api_key.scopes",
      "api_key.addresses",
      "api_key.calls_per_minute",
      "api_key.created_at",
      "api_key.expires_at",
      "api_key.last_used_at",
      "api_key.revoked_at",
      "clinic.name as clinic_name",
      "user.user_name",
      "maker.first_name as maker_first_name",
      "maker.last_name as maker_last_name",
    ])
    .orderBy("api_key.id", "desc")
    .limit(limit)
    .execute();

export const findApiKeyName = (db: DbOrTx, id: number) =>
  db.selectFrom("api_key").select(["id", "name", "revoked_at", "last_used_at"]).where("id", "=", id).executeTakeFirst();
