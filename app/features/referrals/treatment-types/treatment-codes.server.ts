import type { DbOrTx } from "~db/connection.server";
import { findTreatmentTypes } from "~/features/referrals/store/treatment-type-store.server";

/** Splits external codes: `10, 11;12` are three. */
export const splitCodes = (list: string): string[] => [
  ...new Set(
    list
      .split(/[,;]/)
      .map((code) => code.trim())
      .filter((code) => code !== ""),
  ),
];

/** Maps external codes to treatment types; each code belongs to one type. */
export async function findTreatmentCodes(db: DbOrTx): Promise<Map<string, { id: number; name: string }>> {
  const types = await findTreatmentTypes(db);
  return new Map(
    types.flatMap(({ id, name, externalCodes }) =>
      splitCodes(externalCodes).map((code) => [code, { id, name }] as const),
    ),
  );
}
