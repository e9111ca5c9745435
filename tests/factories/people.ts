import type { Person, Role } from "~/access/actor";
import { hashPassword } from "~/features/accounts/passwords.server";
import { insertUser } from "~/features/accounts/store.server";
import { insertClinic } from "~/features/directory/store.server";
import type { Portal } from "~/portal.server";

let count = 0;

export async function aClinic(portal: Portal, name = `Klinik ${++count}`): Promise<number> {
  const clinic = {
    name,
    address: "Åvej 1",
    zip: "8000",
    city: "Aarhus",
    phone: "10 00 00 01",
    email: "klinik@eksempel.dk",
  };
  return insertClinic(portal.db, clinic, portal.clock.now());
}

interface Wanted {
  role: Role;
  clinicIds?: number[];
  userName?: string;
  password?: string;
  dentistExternalId?: string | null;
}

/** A user as the actor of a session. */
export async function aPerson(
  portal: Portal,
  { role, clinicIds = [], userName = `bruger${++count}`, password, dentistExternalId = "10231" }: Wanted,
): Promise<Person> {
  const names = { firstName: "Åse", lastName: `Kjær ${userName}` };
  const email = `${userName}@eksempel.dk`;
  const passwordHash = password ? await hashPassword(password) : null;
  const id = await insertUser(
    portal.db,
    { userName, ...names, email, passwordHash, dentistExternalId, roles: [role], clinicIds, creatorId: null },
    portal.clock.now(),
  );
  return {
    kind: "person",
    id,
    userName,
    ...names,
    email,
    roles: [role],
    clinicIds,
    primaryClinicId: clinicIds[0] ?? null,
    formerIds: [],
    formerClinicIds: [],
    lightEdition: false,
    hasShortcuts: true,
    goesOn: false,
    mustAcceptConditions: false,
    mustChangePassword: false,
    mustSetUpSecondFactor: false,
  };
}
