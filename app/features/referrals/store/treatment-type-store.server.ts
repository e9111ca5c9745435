import { UNKNOWN_TREATMENT } from "~/features/referrals/model/referral";
import type { DbOrTx, Tx } from "~db/connection.server";
import { toMoment } from "~/text/dates";
import { searchKey, sortKey } from "~/text/names";

export interface TreatmentType {
  id: number;
  name: string;
  externalCodes: string;
  recommendationLink: string | null;
  version: number;
}

export function findTreatmentTypes(db: DbOrTx): Promise<TreatmentType[]> {
  return db
    .selectFrom("treatment_type")
    .select([
      "id",
      "name",
      "external_appointment_ids as externalCodes",
      "patient_recommendation_link as recommendationLink",
      "version",
    ])
    .where("deleted_at", "is", null)
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}

/** Name of a type, also a deleted one; null for none, 'Ukendt behandling' for -100. */
export async function treatmentTypeName(db: DbOrTx, id: number | null): Promise<string | null> {
  if (id === null) return null;
  if (id === UNKNOWN_TREATMENT) return "Ukendt behandling";
  return (
    (await db.selectFrom("treatment_type").select("name").where("id", "=", id).executeTakeFirst())?.name ??
    "Ukendt behandling"
  );
}

export async function findTreatment(
  db: DbOrTx,
  id: number | null,
): Promise<{ name: string; recommendationLink: string | null } | null> {
  if (id === null || id === UNKNOWN_TREATMENT) return null;
  const row = await db
    .selectFrom("treatment_type")
    .select(["name", "patient_recommendation_link"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ? { name: row.name, recommendationLink: row.patient_recommendation_link } : null;
}

export async function insertTreatmentType(tx: Tx, name: string): Promise<number> {
  const row = await tx
    .insertInto("treatment_type")
    .values({
      name,
      name_sort: sortKey(name),
      external_appointment_ids: "",
      patient_recommendation_link: null,
      deleted_at: null,
    })
    .executeTakeFirstOrThrow();
  return Number(row.insertId);
}

/**
 * Restores the latest deleted type of a name without its codes, which another may have now. Returns its id; null if
 * none.
 */
export async function restoreTreatmentType(tx: Tx, name: string): Promise<number | null> {
  const deleted = await tx
    .selectFrom("treatment_type")
    .select(["id", "name"])
    .where("deleted_at", "is not", null)
    .orderBy("id", "desc")
    .execute();
  const same = deleted.find((type) => searchKey(type.name) === searchKey(name));
  if (!same) return null;
  await tx
    .updateTable("treatment_type")
    .set((eb) => ({
      name,
      name_sort: sortKey(name),
      external_appointment_ids: "",
      deleted_at: null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", same.id)
    .execute();
  return same.id;
}

/** False if its version has changed. */
export async function updateTreatmentType(
  tx: Tx,
  id: number,
  type: { name: string; externalCodes: readonly string[]; recommendationLink: string | null; seenVersion: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable("treatment_type")
    .set((eb) => ({
      name: type.name,
      name_sort: sortKey(type.name),
      external_appointment_ids: type.externalCodes.join(","),
      patient_recommendation_link: type.recommendationLink,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .where("version", "=", type.seenVersion)
    .executeTakeFirst();
  return Number(numUpdatedRows) === 1;
}

export async function hideTreatmentType(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable("treatment_type")
    .set({ deleted_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
}
