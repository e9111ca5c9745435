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
    .insertInto("apiKey")
    .values({
      name: key.name,
      keyHash: tokenHash(key.token),
      keyHint: key.hint,
      scopes: key.scopes.join(","),
      clinicId: key.clinicId,
      userId: key.userId,
      creatorId: key.creatorId,
      addresses: key.addresses.join(" "),
      callsPerMinute: key.callsPerMinute,
      createdAt: toMoment(now),
      expiresAt: toMoment(key.expiresAt),
      lastUsedAt: null,
      revokedAt: null,
      revokedBy: null,
    })
    .executeTakeFirstOrThrow();
  return Number(insertId);
}

/** Finds a key by its hash with its creator and account, in whatever state; called once per API call. */
export function findApiKeyRow(db: DbOrTx, token: string) {
  return db
    .selectFrom("apiKey")
    .innerJoin("user", "user.id", "apiKey.userId")
    .innerJoin("user as maker", "maker.id", "apiKey.creatorId")
    .where("apiKey.keyHash", "=", tokenHash(token))
    .select([
      "apiKey.id",
      "apiKey.name",
      "apiKey.scopes",
      "apiKey.clinicId",
      "apiKey.addresses",
      "apiKey.callsPerMinute",
      "apiKey.expiresAt",
      "apiKey.lastUsedAt",
      "apiKey.revokedAt",
      "user.id as userId",
      "user.userName",
      "user.firstName",
      "user.lastName",
      "user.email",
      "user.status as userStatus",
      "maker.status as makerStatus",
    ])
    .select((eb) => [
      eb
        .selectFrom("clinic as former")
        .whereRef("former.mergedIntoId", "=", "apiKey.clinicId")
        .select(sql<string>`group_concat(former.id)`.as("ids"))
        .as("formerClinicIds"),
      eb
        .selectFrom("userClinic")
        .whereRef("userClinic.userId", "=", "user.id")
        .where("userClinic.isPrimary", "=", true)
        .select("userClinic.clinicId")
        .limit(1)
        .as("primaryClinicId"),
      eb
        .selectFrom("userClinic as membership")
        .whereRef("membership.userId", "=", "user.id")
        .whereRef("membership.clinicId", "=", "apiKey.clinicId")
        .select("membership.userId")
        .limit(1)
        .as("memberId"),
    ])
    .executeTakeFirst();
}

export async function isMember(db: DbOrTx, userId: number, clinicId: number): Promise<boolean> {
  const row = await db
    .selectFrom("userClinic")
    .select("userId")
    .where("userId", "=", userId)
    .where("clinicId", "=", clinicId)
    .executeTakeFirst();
  return row !== undefined;
}

export async function updateLastUsed(db: DbOrTx, id: number, now: Date): Promise<void> {
  await db
    .updateTable("apiKey")
    .set({ lastUsedAt: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

export function revokeApiKey(tx: Tx, id: number, by: number, now: Date): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("apiKey")
      .set({ revokedAt: toMoment(now), revokedBy: by })
      .where("id", "=", id)
      .where("revokedAt", "is", null),
  );
}

export async function endKeysOfUser(tx: Tx, userId: number, now: Date): Promise<void> {
  await tx
    .updateTable("apiKey")
    .set({ revokedAt: toMoment(now) })
    .where((eb) => eb.or([eb("userId", "=", userId), eb("creatorId", "=", userId)]))
    .where("revokedAt", "is", null)
    .execute();
}

export async function endKeysOfClinics(tx: Tx, clinicIds: readonly number[], now: Date): Promise<void> {
  if (clinicIds.length === 0) return;
  await tx
    .updateTable("apiKey")
    .set({ revokedAt: toMoment(now) })
    .where("clinicId", "in", clinicIds)
    .where("revokedAt", "is", null)
    .execute();
}

export const findApiKeys = (db: DbOrTx, { limit }: { limit: number }) =>
  db
    .selectFrom("apiKey")
    .innerJoin("user as maker", "maker.id", "apiKey.creatorId")
    .innerJoin("user", "user.id", "apiKey.userId")
    .leftJoin("clinic", "clinic.id", "apiKey.clinicId")
    .select([
      "apiKey.id",
      "apiKey.name",
      "apiKey.keyHint",
      "apiKey.scopes",
      "apiKey.addresses",
      "apiKey.callsPerMinute",
      "apiKey.createdAt",
      "apiKey.expiresAt",
      "apiKey.lastUsedAt",
      "apiKey.revokedAt",
      "clinic.name as clinicName",
      "user.userName",
      "maker.firstName as makerFirstName",
      "maker.lastName as makerLastName",
    ])
    .orderBy("apiKey.id", "desc")
    .limit(limit)
    .execute();

export const findApiKeyName = (db: DbOrTx, id: number) =>
  db.selectFrom("apiKey").select(["id", "name", "revokedAt", "lastUsedAt"]).where("id", "=", id).executeTakeFirst();
