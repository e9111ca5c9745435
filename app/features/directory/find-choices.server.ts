import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";

export interface DirectoryChoice {
  value: number;
  label: string;
}

/** Active clinics by name: staff all, others their own (GET /Clinics/active-only). */
export async function findClinicChoices(db: DbOrTx, person: Person): Promise<DirectoryChoice[]> {
  const rows = await db
    .selectFrom("clinic")
    .select(["id", "name"])
    .where("status", "=", 1)
    .$if(!can(person, "directory.seeAll"), (query) =>
      query.where("id", "in", person.clinicIds.length > 0 ? person.clinicIds : [0]),
    )
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
  return rows.map(({ id, name }) => ({ value: id, label: name }));
}
