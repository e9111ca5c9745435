import { rm, writeFile } from "node:fs/promises";
import path from "node:path";
import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { tokenHash } from "~/access/secrets.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { signOut } from "~/features/accounts/operations.server";
import { forgotPassword } from "~/features/accounts/passwords.server";
import { signIn } from "~/features/accounts/sign-in.server";
import { importRows } from "~/features/appointments/import-appointments.server";
import { startImport, uploadAppointments } from "~/features/appointments/operations.server";
import { saveLetterPhrases, saveLetterSettings } from "~/features/message-settings/operations.server";
import { bookParking } from "~/features/parking/operations.server";
import { updateUser } from "~/features/people/update-user.server";
import { accountTypes } from "~/features/people/role-names";
import { stageUploads } from "~/files/staging/staged-upload-store.server";
import { storeUpload } from "~/files/store-file.server";
import { systemCaller } from "~/access/system-caller";
import { addDays } from "~/text/calendar";
import { showDay } from "~/text/dates";
import { fullName } from "~/text/names";
import { letterPhrases } from "./content/clinical-texts.server";
import { demoClinic, portalPeople } from "./content/clinics.server";
import { createRandom } from "./content/seeded-random.server";
import { EAN } from "./demo-edi.server";
import { DEMO_PASSWORD } from "./demo-people.server";
import type { DemoProviders } from "./demo-providers.server";
import { callerOf, type StoryClock, type Tale } from "./demo-scenario.server";

interface Desk {
  providers: DemoProviders;
  clock: StoryClock;
  by: Person;
}

/** Dentists whose systems take discharge letters by EDI, with their numbers. */
export const byEdi = new Map([
  ["tandlaege", EAN],
  ["afjeldsoee", "5790000120352"],
  ["vkrogh", "5790000120369"],
  ["uoestergaard", "5790000120376"],
]);

/** Letterhead, standard phrases, and the dentists who take letters by EDI. */
export async function* setUpTale({ providers, by }: Desk, when: number, people: Person[]): Tale {
  yield when;
  await providers.as(by, saveLetterSettings, { ...demoClinic, windowLeft: "20", windowTop: "50" });
  const phrases = Object.entries(letterPhrases).map(([part, lines]) => [
    part,
    lines.map(({ name, text }) => `${name} = ${text}`).join("\n"),
  ]);
  await providers.as(by, saveLetterPhrases, Object.fromEntries(phrases) as Record<string, string>);
  for (const person of people) {
    const ediDentistId = byEdi.get(person.userName);
    const { phone, mobilePhone, dentistExternalId } = portalPeople.find((each) => each.userName === person.userName)!;
    if (ediDentistId === undefined) continue;
    await providers.as(by, updateUser, {
      ...person,
      phone: phone ?? "",
      mobilePhone: mobilePhone ?? "",
      dentistExternalId: dentistExternalId ?? "",
      userId: person.id,
      type: accountTypes.referrer,
      status: 1,
      ediDentistId,
      sendEndingLettersViaEdi: "on",
    });
  }
}

/** One visit of a person to the portal, so that everybody has been active lately. */
export async function* visitTale({ providers: { past } }: Desk, when: number, { userName }: Person): Tale {
  yield when;
  const nobody = callerOf({ kind: "anonymous" });
  const { session } = await execute(past, nobody, signIn, plainInput({ userName, password: DEMO_PASSWORD }));
  if (session === undefined || session === "ended") return;
  yield when + 0.03;
  await execute(past, { ...nobody, sessionId: tokenHash(session.token) }, signOut, plainInput({}));
}

export async function* forgottenPassword({ providers: { past } }: Desk, userName: string): Tale {
  yield -1.3;
  await execute(past, callerOf({ kind: "anonymous" }), forgotPassword, plainInput({ userName }));
}

/** Six cars of the coming days; no Danish plate begins with Q. */
export async function* parkingTale({ providers, clock, by }: Desk): Tale {
  for (const [index, ahead] of [1, 1, 1, 2, 2, 4].entries()) {
    yield -0.7 + index / 8;
    const mobilePhone = `10 66 20 1${index}`;
    const licensePlate = `QX2010${index}`;
    await providers.as(by, bookParking, { licensePlate, mobilePhone, bookingDateTime: showDay(clock.day(ahead)) });
  }
}

const LINES = 40;
/** The planned time that the file moves after its patient was told it. */
const MOVED = 2;

/** The calendar's file of the day: the planned times and their controls, and three lines with an error. */
export async function* importTale({ providers, clock, by }: Desk): Tale {
  yield 0.05;
  const { past } = providers;
  const rows = await past.db
    .selectFrom("referral")
    .innerJoin("treatmentType", "treatmentType.id", "referral.treatmentTypeId")
    .selectAll("referral")
    .select("treatmentType.externalAppointmentIds as code")
    .where("status", "=", 6)
    .where("operationDate", ">=", clock.day(0))
    .orderBy("operationDate")
    .execute();
  const random = createRandom(LINES);
  const times = rows.flatMap((row, index) => {
    const who = [sealedCpr.open(past.secrets, row) ?? "", fullName(row)];
    const day = row.operationDate!;
    const planned = `${row.operationHour}.${String(row.operationMinute).padStart(2, "0")}`;
    const time = index === MOVED ? "8.05" : planned;
    return [
      [...who, showDay(day), time, row.operationDuration, row.code],
      ...[7, 14, 28, 91, 182, 364].map((later) => [
        ...who,
        showDay(addDays(day, later)),
        `${random.integer(8, 14)}.45`,
        15,
        "KTR-1",
      ]),
    ];
  });
  const wrong = [
    ["620180-9990", "Ukendt Patient", showDay(clock.day(2)), "9.15", 45, "OP-48"],
    ["999999-0000", "Fejl i CPR", showDay(clock.day(2)), "10.00", 45, "OP-48"],
    [...(times[0] ?? []).slice(0, 2), showDay(clock.day(3)), "11.30", 30, "RTG-9"],
  ];
  const lines = [...times.slice(0, LINES - wrong.length), ...wrong].map((cells) => cells.join(";"));
  const fileId = await upload(providers, by, ["cpr;navn;dato;tid;varighed;kode", ...lines].join("\r\n"));
  yield 0.07;
  await providers.as(by, startImport, { fileId, isUnattended: true });
  const system = systemCaller("demo");
  while (Number((await execute(past, system, importRows, plainInput({}))).data?.imported) > 0);
}

async function upload({ past }: DemoProviders, by: Person, csv: string): Promise<number> {
  const formKey = "demo-appointments";
  const file = path.join(past.config.dataDir, "incoming", formKey);
  await writeFile(file, csv);
  const result = await storeUpload(past, file, "Aftaletider.csv", "appointments", { requestedBy: "demo" });
  await rm(file, { force: true });
  if ("refused" in result) throw new Error(`demo appointments: ${result.refused}`);
  const staged = { formKey, files: [{ ...result.accepted, field: "AppointmentFile", kind: "appointments" }] };
  await execute(past, callerOf(by), stageUploads, plainInput(staged));
  await execute(past, callerOf(by), uploadAppointments, plainInput({ formKey }));
  const { id } = await past.db
    .selectFrom("appointmentFile")
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}
