import { inTransaction, insertUnlessThere } from "~db/connection.server";
import { insertUser } from "~/features/accounts/store.server";
import { insertClinic } from "~/features/directory/store.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { inParts } from "./bulk-history.server";
import { createPatients, type DemoPatient } from "./content/people.server";

const BATCH_SIZE = 250;
const MEMBERS = 300;

/** Dentists without a password, hundreds per clinic. */
export async function insertBulkUsers(portal: Portal, count: number, now: Date): Promise<void> {
  const people = createPatients(Math.min(count, 20_000), 11, now);
  let clinicId = 0;
  for (let start = 0; start < count; start += BATCH_SIZE) {
    await inTransaction(portal.db, async (tx) => {
      for (let number = start; number < Math.min(count, start + BATCH_SIZE); number += 1) {
        const place = { address: "Åvej 1", zip: "8000", city: "Aarhus", phone: "10 00 00 00" };
        const name = `Klinik nr. ${number / MEMBERS + 1}`;
        if (number % MEMBERS === 0)
          clinicId = await insertClinic(tx, { ...place, name, email: `klinik${number}@eksempel.dk` }, now);
        const { firstName, lastName } = people[number % people.length]!;
        const userName = `tandlaege.nr${number}`;
        const email = `${userName}@eksempel.dk`;
        const account = { userName, email, firstName, lastName, passwordHash: null, creatorId: null };
        await insertUser(tx, { ...account, roles: ["Dentist"], clinicIds: [clinicId] }, now);
      }
    });
  }
}

/** Inserts patients that are not there; returns their numbers by CPR number. */
export async function insertPatients(portal: Portal, patients: DemoPatient[], now: Date): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const part of inParts(patients, BATCH_SIZE)) {
    const hashes = new Map(part.map((patient) => [portal.secrets.lookup("cpr", patient.cpr), patient.cpr]));
    await inTransaction(portal.db, async (tx) => {
      const rows = [...hashes.keys()].map((hash) => ({ cprHash: hash, emailNorm: null, createdAt: toMoment(now) }));
      await insertUnlessThere(tx, "patient", rows);
      const there = await tx
        .selectFrom("patient")
        .select(["id", "cprHash"])
        .where("cprHash", "in", [...hashes.keys()])
        .execute();
      for (const row of there) ids.set(hashes.get(row.cprHash)!, row.id);
    });
  }
  return ids;
}
