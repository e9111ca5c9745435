import { inTransaction } from "~db/connection.server";
import type { Person, Role } from "~/access/actor";
import { hashPassword } from "~/features/accounts/passwords.server";
import { insertText } from "~/features/portal-texts/portal-text-store.server";
import { insertUser } from "~/features/accounts/store.server";
import { insertClinic } from "~/features/directory/store.server";
import { testPersons } from "~/gateways/person-register/test-persons-list";
import type { PersonAnswer } from "~/gateways/person-register/port";
import type { Demo, Portal } from "~/portal.server";
import { fullName, sortKey } from "~/text/names";
import { treatmentTypes } from "./content/clinical-texts.server";
import { clinics, portalPeople } from "./content/clinics.server";
import type { DemoPatient } from "./content/people.server";
import { infoPopup, terms } from "./content/portal-texts.server";

export const DEMO_PASSWORD = "Demo1234";

const doors: readonly [userName: string, title: string, task: string][] = [
  ["kirurg", "Kirurg", "visiterer"],
  ["admin", "Admin", "indkalder"],
  ["tandlaege", "Tandlæge", "henviser"],
  ["tandlaege2", "Tandlæge", "fra en anden klinik"],
  ["tandlaegesekretaer", "Tandlægesekretær", "henviser for andre"],
  ["sekretaer", "Sekretær", "følger med"],
];

/** Accounts and patients that the sign-in page offers and `npm start` prints. */
const door: Omit<Demo, "register"> = {
  accounts: doors.map(([userName, title, task]) => {
    const { role, firstName, lastName } = portalPeople.find((person) => person.userName === userName)!;
    return { userName, role, title, name: `${firstName} ${lastName}`, task };
  }),
  password: DEMO_PASSWORD,
  patients: Object.entries(testPersons).map(([cpr, { answer }]) => ({
    cpr,
    name:
      answer.kind === "found"
        ? fullName({ firstName: answer.firstName, lastName: answer.lastName })
        : "Hemmelig adresse",
  })),
};

/**
 * The demo of a database: what the sign-in page offers, and the register's answers about its patients, whose ages are of
 * the year in which it was filled.
 */
export async function findDemo({ db, secrets }: Portal, patientsOf: (year: number) => DemoPatient[]): Promise<Demo> {
  const { createdAt: madeAt } = await db
    .selectFrom("user")
    .select("createdAt")
    .orderBy("id")
    .limit(1)
    .executeTakeFirstOrThrow();
  const begun = new Date(madeAt).getUTCFullYear();
  for (const patients of [patientsOf(begun + 1), patientsOf(begun)]) {
    const [, second] = patients;
    const known = await db
      .selectFrom("patient")
      .select("id")
      .where("cprHash", "=", secrets.lookup("cpr", second!.cpr))
      .executeTakeFirst();
    if (known) return { ...door, register: new Map(patients.map((patient) => [patient.cpr, answerOf(patient)])) };
  }
  return { ...door, register: new Map() };
}

const answerOf = ({ firstName, lastName, address, zip, city }: DemoPatient): PersonAnswer => ({
  kind: "found",
  firstName,
  lastName,
  address,
  zip,
  city,
  status: "01",
});

export async function makeDemoPeople(portal: Portal, now: Date): Promise<Map<string, Person>> {
  const passwordHash = await hashPassword(DEMO_PASSWORD);
  return inTransaction(portal.db, async (tx) => {
    const clinicIds = new Map<string, number>();
    for (const { key, ...clinic } of clinics) clinicIds.set(key, await insertClinic(tx, clinic, now));
    const people = new Map<string, Person>();
    for (const person of portalPeople) {
      const ids = person.clinics.map((key) => clinicIds.get(key)!);
      const roles: Role[] = [person.role];
      const isStaff = person.role === "Admin" || person.role === "Surgeon";
      const acceptedConditions = isStaff ? undefined : { version: 1, at: now };
      const id = await insertUser(
        tx,
        {
          ...person,
          passwordHash,
          roles,
          clinicIds: ids,
          creatorId: null,
          ...(acceptedConditions ? { acceptedConditions } : {}),
        },
        now,
      );
      if (!person.isActive) await tx.updateTable("user").set({ status: 0 }).where("id", "=", id).execute();
      people.set(person.userName, {
        kind: "person",
        id,
        userName: person.userName,
        firstName: person.firstName,
        lastName: person.lastName,
        email: person.email,
        roles,
        clinicIds: ids,
        primaryClinicId: ids[0] ?? null,
        formerIds: [],
        formerClinicIds: [],
        lightEdition: false,
        hasShortcuts: true,
        goesOn: false,
        mustAcceptConditions: false,
        mustChangePassword: false,
        mustSetUpSecondFactor: false,
      });
    }
    await insertText(tx, "conditions", { version: 1, body: terms.text, buttonText: terms.buttonText }, { now });
    await insertText(tx, "infoPopup", { version: 1, body: infoPopup.text, buttonText: "OK" }, { now });
    await tx
      .insertInto("treatmentType")
      .values(
        treatmentTypes.map(({ name, externalCode }) => ({
          name,
          nameSort: sortKey(name),
          externalAppointmentIds: externalCode,
          patientRecommendationLink: null,
          deletedAt: null,
        })),
      )
      .execute();
    return people;
  });
}
