import type { DbOrTx } from "~db/connection.server";
import { findTypesWithCodes } from "~/features/referrals/store/treatment-type-store.server";

/** External code → treatment type: a type may have several, parted by commas. */
export async function findTreatmentCodes(db: DbOrTx): Promise<Map<string, { id: number; name: string }>> {
  const types = await findTypesWithCodes(db);
  return new Map(
    types.flatMap(({ id, name, external_appointment_ids: codes }) =>
      codes.split(",").flatMap((code) => (code.trim() === "" ? [] : [[code.trim(), { id, name }] as const])),
    ),
  );
}
