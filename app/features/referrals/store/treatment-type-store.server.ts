import type { DbOrTx } from "~db/connection.server";

/** The treatment nobody knows; never in a list. */
export const UNKNOWN_TREATMENT = -100;

export interface TreatmentType {
  id: number;
  name: string;
}

/** What can be chosen, by name. */
export function findTreatmentTypes(db: DbOrTx): Promise<TreatmentType[]> {
  return db
    .selectFrom("treatment_type")
    .select(["id", "name"])
    .where("deleted_at", "is", null)
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}

/** The name of one, also of one that was deleted; null for none, 'Ukendt behandling' for -100. */
export async function treatmentTypeName(db: DbOrTx, id: number | null): Promise<string | null> {
  if (id === null) return null;
  if (id === UNKNOWN_TREATMENT) return "Ukendt behandling";
  return (
    (await db.selectFrom("treatment_type").select("name").where("id", "=", id).executeTakeFirst())?.name ??
    "Ukendt behandling"
  );
}

/** Every type that is not deleted, with the codes that the appointment system knows it by. */
export function findTypesWithCodes(db: DbOrTx) {
  return db
    .selectFrom("treatment_type")
    .select(["id", "name", "external_appointment_ids"])
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
}

/** What a text to the patient can say of a treatment; null for none, and for the one nobody knows. */
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
