import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { findActiveClinics } from "./clinic-store.server";

export interface DirectoryChoice {
  value: number;
  label: string;
}

/** Active clinics by name: staff all, others their own (GET /Clinics/active-only). */
export async function findClinicChoices(db: DbOrTx, person: Person): Promise<DirectoryChoice[]> {
  const rows = await findActiveClinics(db, can(person, "directory.seeAll") ? "all" : person.clinicIds);
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}
