import { z } from "zod";
import { external } from "~/access/operation.server";
import { newUserName, personName, requiredEmail } from "~/text/fields.server";
import { newPassword, hashPassword, refuseSimplePassword } from "./passwords.server";
import { insertUser, findUserNamesFrom } from "./store.server";
import type { Tx } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { searchKey } from "~/text/names";

/** Command line: an administrator without a clinic. Throws `userNameTaken` and `weakPassword`. */
export const createAdminAccount = external({
  name: "createAdminAccount",
  permission: "system",
  input: z.object({
    userName: newUserName,
    firstName: personName("Skriv et fornavn."),
    lastName: personName("Skriv et efternavn."),
    email: requiredEmail,
    password: newPassword,
  }),
  async prepare(_context, input) {
    refuseSimplePassword(input.password, input);
    return hashPassword(input.password);
  },
  async run({ tx, now }, input, passwordHash) {
    await insertUser(tx, { ...input, passwordHash, roles: ["Admin"], clinicIds: [], creatorId: null }, now);
    return {};
  },
});

/**
 * Creates a referrer without sign-in, in the creator's clinic ('Opret ny henviser'). They can choose a password once
 * staff have entered an e-mail. Returns the id.
 */
export async function insertQuickProfile(
  tx: Tx,
  maker: Person,
  { firstName, lastName }: { firstName: string; lastName: string },
  now: Date,
): Promise<number> {
  const userName = await freeUserName(
    tx,
    searchKey(`${firstName.slice(0, 1)}${lastName}`).replace(/[^a-z0-9]/g, "") || "henviser",
  );
  const clinicIds = maker.primaryClinicId === null ? [] : [maker.primaryClinicId];
  return insertUser(
    tx,
    {
      userName,
      firstName,
      lastName,
      email: "",
      passwordHash: null,
      roles: ["Dentist"],
      clinicIds,
      creatorId: maker.id,
    },
    now,
  );
}

async function freeUserName(tx: Tx, base: string): Promise<string> {
  const stem = base.slice(0, 80);
  const taken = new Set(await findUserNamesFrom(tx, stem));
  for (let number = 1; ; number += 1) {
    const name = number === 1 ? stem : `${stem}${number}`;
    if (!taken.has(name)) return name;
  }
}
