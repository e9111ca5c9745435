import type { DbOrTx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { fullName } from "~/text/names";
import { tellApart, type ToldApart } from "~/text/tell-apart";
import { findActiveClinics, findSurgeonRows } from "./store.server";

export type DirectoryChoice = ToldApart;

/** Active clinics by name: all for staff, otherwise one's own (GET /Clinics/active-only). */
export async function findClinicChoices(db: DbOrTx, person: Person): Promise<DirectoryChoice[]> {
  const rows = await findActiveClinics(db, can(person, "directory.seeAll") ? "all" : person.clinicIds);
  return tellApart(rows.map(({ id, name, ...row }) => ({ value: id, label: name, apart: addressLine(row) })));
}

const addressLine = ({ address, zip, city }: { address: string; zip: string; city: string }) =>
  [address, [zip, city].filter(Boolean).join(" ")].filter(Boolean).join(", ");

/** Active surgeons by name, plus the chosen one if inactive. */
export async function findSurgeonChoices(db: DbOrTx, chosenId: number | null = null): Promise<DirectoryChoice[]> {
  const rows = await findSurgeonRows(db, chosenId);
  return tellApart(rows.map((row) => ({ value: row.id, label: fullName(row), apart: row.email })));
}
