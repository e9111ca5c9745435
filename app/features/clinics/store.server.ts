import { sql } from "kysely";
import type { Actor } from "~/access/actor";
import { clinicScope } from "~/access/directory-scope-store.server";
import { rewriteClinicTokens, clinicColumns, type ClinicValues } from "~/features/directory/store.server";
import { chosenColumns } from "~/features/merging/merge-words";
import { toMoment } from "~/text/dates";
import { type DbOrTx, forUpdate, type Tx, changesAny, orNone } from "~db/connection.server";

export async function countMembers(db: DbOrTx, clinicIds: number[]): Promise<Map<number, number>> {
  if (clinicIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("userClinic")
    .select(["clinicId", sql<number>`count(*)`.as("count")])
    .where("clinicId", "in", clinicIds)
    .groupBy("clinicId")
    .execute();
  return new Map(rows.map((row) => [row.clinicId, Number(row.count)]));
}

export async function findMembers(db: DbOrTx, clinicIds: number[], { limit }: { limit?: number } = {}) {
  if (clinicIds.length === 0) return [];
  return db
    .selectFrom("userClinic")
    .innerJoin("user", "user.id", "userClinic.userId")
    .select(["userClinic.clinicId", "user.id", "user.firstName", "user.lastName", "user.status"])
    .where("userClinic.clinicId", "in", clinicIds)
    .orderBy("user.nameSort")
    .orderBy("user.id")
    .$if(limit !== undefined, (query) => query.limit(limit!))
    .execute();
}

const shownColumns = [
  "clinic.name",
  "clinic.address",
  "clinic.zip",
  "clinic.city",
  "clinic.email",
  "clinic.phone",
  "clinic.mobilePhone",
  "clinic.status",
] as const;

export function findClinicInScope(db: DbOrTx, actor: Actor, id: number) {
  return db
    .selectFrom("clinic")
    .select(["clinic.id", "clinic.version", "clinic.mergedIntoId", ...shownColumns])
    .where("clinic.id", "=", id)
    .where(clinicScope(actor))
    .executeTakeFirst();
}

export async function updateClinicRow(
  tx: Tx,
  { id, version }: { id: number; version: number },
  clinic: ClinicValues & { status: number },
  now: Date,
): Promise<boolean> {
  const isUpdated = await changesAny(
    tx
      .updateTable("clinic")
      .set({ ...clinicColumns(clinic), modifiedAt: toMoment(now), version: version + 1 })
      .where("id", "=", id)
      .where("version", "=", version),
  );
  if (isUpdated) await rewriteClinicTokens(tx, id);
  return isUpdated;
}

const clinicsOf = (db: DbOrTx, ids: number[]) =>
  db
    .selectFrom("clinic")
    .select(["id", "version", ...chosenColumns.clinic, "createdAt", "mergedIntoId"])
    .where("id", "in", orNone(ids))
    .orderBy("id");

type ClinicToMerge = Awaited<ReturnType<ReturnType<typeof clinicsOf>["execute"]>>[number];

export const findClinicsToMerge = async (db: DbOrTx, ids: number[]) =>
  ids.length === 0 ? [] : inOrder(ids, await clinicsOf(db, ids).execute());

export const lockClinicsToMerge = async (tx: Tx, ids: number[]) =>
  inOrder(ids, await forUpdate(tx, clinicsOf(tx, ids)).execute());

const inOrder = (ids: number[], clinics: ClinicToMerge[]) =>
  ids.flatMap((id) => clinics.find((clinic) => clinic.id === id) ?? []);
