import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { chosenColumns } from "~/features/merging/chosen-columns";

const clinicsOf = (db: DbOrTx, ids: number[]) =>
  db
    .selectFrom("clinic")
    .select(["id", "version", ...chosenColumns.clinic, "created_at", "merged_into_id"])
    .where("id", "in", ids.length > 0 ? ids : [0])
    .orderBy("id");

export type ClinicToMerge = Awaited<ReturnType<ReturnType<typeof clinicsOf>["execute"]>>[number];

/** Clinics in the order asked for; unknown ones are absent. */
export const findClinicsToMerge = async (db: DbOrTx, ids: number[]) =>
  ids.length === 0 ? [] : inOrder(ids, await clinicsOf(db, ids).execute());

export const lockClinicsToMerge = async (tx: Tx, ids: number[]) =>
  inOrder(ids, await forUpdate(tx, clinicsOf(tx, ids)).execute());

const inOrder = (ids: number[], clinics: ClinicToMerge[]) =>
  ids.flatMap((id) => clinics.find((clinic) => clinic.id === id) ?? []);
