import type { Person, Role } from "~/access/actor";
import { hashPassword } from "~/features/accounts/passwords.server";
import { insertUser } from "~/features/accounts/store.server";
import { clinicColumns, countActiveClinics, insertClinic } from "~/features/directory/store.server";
import { toMoment } from "~/text/dates";
import type { Portal } from "~/portal.server";

let count = 0;

const clinicNamed = (name: string) => ({
  name,
  address: "Åvej 1",
  zip: "8000",
  city: "Aarhus",
  phone: "10 00 00 01",
  email: "klinik@eksempel.dk",
});

export const aClinic = (portal: Portal, name = `Klinik ${++count}`): Promise<number> =>
  insertClinic(portal.db, clinicNamed(name), portal.clock.now());

/** Adds clinics until so many are active. */
export async function fillClinics(portal: Portal, wanted: number): Promise<void> {
  const at = toMoment(portal.clock.now());
  for (let missing; (missing = wanted - (await countActiveClinics(portal.db))) > 0;) {
    const clinics = Array.from({ length: Math.min(missing, 500) }, () => ({
      ...clinicColumns(clinicNamed(`Klinik ${++count}`)),
      createdAt: at,
      modifiedAt: at,
    }));
    await portal.db.insertInto("clinic").values(clinics).execute();
  }
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
