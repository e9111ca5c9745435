import type { DbOrTx } from "~db/connection.server";

/** External code → treatment type: a type may have several, parted by commas. */
export async function findTreatmentCodes(db: DbOrTx): Promise<Map<string, { id: number; name: string }>> {
  const types = await db
    .selectFrom("treatment_type")
    .select(["id", "name", "external_appointment_ids"])
    .where("deleted_at", "is", null)
    .orderBy("id")
    .execute();
  return new Map(
    types.flatMap(({ id, name, external_appointment_ids: codes }) =>
      codes.split(",").flatMap((code) => (code.trim() === "" ? [] : [[code.trim(), { id, name }] as const])),
    ),
  );
}
