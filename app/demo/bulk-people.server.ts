import { inTransaction } from "~db/connection.server";
import { insertUser } from "~/features/accounts/store.server";
import { insertClinic } from "~/features/directory/store.server";
import type { Portal } from "~/portal.server";
import { createPatients } from "./content/people.server";

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
