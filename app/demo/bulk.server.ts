import { parseArgs } from "node:util";
import { isWeekend, parseISO } from "date-fns";
import { ConfigError } from "~/config/config.server";
import { withoutIndexes } from "~db/bulk-load.server";
import { inTransaction } from "~db/connection.server";
import { unknownFacts } from "~/features/referrals/model/facts";
import {
  AWAITING_TRIAGE,
  CLOSED,
  statuses,
  TRIAGED_FOR_ANAESTHESIA,
  TRIAGED_URGENT,
} from "~/features/referrals/model/statuses";
import { URGENT } from "~/features/referrals/model/referral";
import {
  insertReferrals,
  newDraft,
  patientColumns,
  type WrittenPatient,
} from "~/features/referrals/store/referral-store.server";
import { finishRecount } from "~/features/statistics/sums/rebuild-sums.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { addDays, isHoliday } from "~/text/calendar";
import { momentThere } from "~/text/copenhagen.server";
import { localDate, toMoment } from "~/text/dates";
import { canBeClosed, inParts, insertHistory, planOf } from "./bulk-history.server";
import { insertBulkUsers, insertPatients } from "./bulk-people.server";
import { fillCase, isAcute } from "./content/clinical-texts.server";
import { createPatients, type DemoPatient } from "./content/people.server";
import { createRandom, type Random } from "./content/seeded-random.server";
import { makeDemoPeople } from "./demo-people.server";

const BATCH_SIZE = 250;
/** Referrals per transaction; their statistics are summed before writing. */
const TOGETHER = 20 * BATCH_SIZE;
const MAX_PATIENTS = 100_000;
const DAYS_BACK = 1500;
const WORKING_HOURS_MS = 7 * 3_600_000;
/** Limit of acute referrals that wait for triage. */
const URGENT_WAITING = 4;
const NOT_CLOSED = statuses.filter(({ value }) => value !== CLOSED);

/**
 * Tables not read by an index while they are filled; the statistics then read messages and status lines by referral.
 */
const UNREAD_MEANWHILE: Parameters<typeof withoutIndexes>[1] = [
  "referral",
  "referralNameToken",
  "dischargeLetter",
  "auditEvent",
  "auditReferral",
  "statisticsSum",
];

/** `demo-data --referrals N [--users N]`: bulk rows for trying the portal at size; never in production. */
export async function makeBulkDemoData(portal: Portal, args: string[]): Promise<void> {
  if (portal.config.production) throw new ConfigError("demo-data is never made with NODE_ENV=production");
  const { values } = parseArgs({ args, options: { referrals: { type: "string" }, users: { type: "string" } } });
  const count = Number(values.referrals);
  if (!Number.isInteger(count) || count < 1)
    throw new ConfigError("demo-data --referrals N, where N is a whole number above 0");
  const now = portal.clock.now();
  const someone = await portal.db.selectFrom("user").select("id").limit(1).executeTakeFirst();
  if (!someone) await makeDemoPeople(portal, now);
  // Ends the recount a new database begins with, since these rows are counted as they are written.
  await finishRecount(portal, systemCaller("demo-data"));
  const started = Date.now();
  const insert = async () => {
    await insertBulk(portal, count, now);
    await insertBulkUsers(portal, Number(values.users ?? 0), now);
  };
  const isEmpty = !(await portal.db.selectFrom("referral").select("id").limit(1).executeTakeFirst());
  await (isEmpty ? withoutIndexes(portal.db, UNREAD_MEANWHILE, insert) : insert());
  const seconds = (Date.now() - started) / 1000;
  console.log(`${count} henvisninger på ${seconds.toFixed(1)} s (${Math.round(count / seconds)} i sekundet)`);
}

async function insertBulk(portal: Portal, count: number, now: Date): Promise<void> {
  const { db } = portal;
  const random = createRandom(count);
  const patients = createPatients(Math.min(count, MAX_PATIENTS), 7, now);
  const referrers = await db
    .selectFrom("user")
    .innerJoin("userRole", "userRole.userId", "user.id")
    .innerJoin("userClinic", "userClinic.userId", "user.id")
    .select(["user.id", "userClinic.clinicId", "user.dentistExternalId"])
    .where("userRole.role", "=", "Dentist")
    .where("userClinic.isPrimary", "=", true)
    .execute();
  const newest = await db
    .selectFrom("referral")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  const first = Number(newest.id ?? 0) + 1;
  const lastEvent = await db
    .selectFrom("auditEvent")
    .select((eb) => eb.fn.max("id").as("id"))
    .executeTakeFirstOrThrow();
  const firstEvent = Number(lastEvent.id ?? 0) + 1;
  const types = (await db.selectFrom("treatmentType").select("id").where("id", ">", 0).execute()).map(({ id }) => id);
  const patientIds = await insertPatients(portal, patients, now);
  const people = patients.map((patient) =>
    patientColumns(portal.secrets, formOf(patient), patientIds.get(patient.cpr)!),
  );
  const workingTime = workingTimeBefore(now);
  const triaged = Math.floor(count * 0.98);
  const rowOf = (number: number) => {
    const person = people[number % people.length]!;
    const referrer = random.pick(referrers);
    // Oldest first, so that ids rise with dates.
    const at = workingTime(number / count);
    const isWaiting = number > triaged;
    const mayBeAcute = !isWaiting || (number - triaged) % Math.ceil((count - triaged) / URGENT_WAITING) === 1;
    const draft = newDraft(
      { ...person, ...caseOf(random, mayBeAcute) },
      { id: referrer.id, primaryClinicId: referrer.clinicId },
      at,
    );
    const ended = random.chance(0.7) && canBeClosed({ number, sentAt: at }, now);
    const status = isWaiting ? AWAITING_TRIAGE : ended ? CLOSED : random.pick(NOT_CLOSED).value;
    return {
      ...draft,
      id: first + number,
      sentAt: toMoment(at),
      status,
      triagedAt: isWaiting ? null : toMoment(at),
      triageUrgency: status === TRIAGED_URGENT ? URGENT : null,
      hasAnaesthesia: status === TRIAGED_FOR_ANAESTHESIA,
      ...(CALLED_UP_BEFORE.has(status) ? callUpOf(number, at) : {}),
      ...planOf(
        { number, status, sentAt: at, mobilePhone: patients[number % patients.length]!.mobilePhone },
        types,
        now,
      ),
      referrerId: referrer.id,
      externalDoctorId: referrer.dentistExternalId,
      availableStep: 3,
    };
  };
  for (let start = 0; start < count; start += TOGETHER) {
    const rows = Array.from({ length: Math.min(TOGETHER, count - start) }, (_, index) => rowOf(start + index));
    const history = rows.map(({ id, status, referrerId: personId, sentAt }, index) => {
      const { firstName, mobilePhone } = patients[(start + index) % patients.length]!;
      return { id, status, personId, sentAt: new Date(sentAt), number: start + index, firstName, mobilePhone };
    });
    await inTransaction(db, async (tx) => {
      for (const part of inParts(rows, BATCH_SIZE)) await insertReferrals(tx, part);
      await insertHistory(tx, portal.secrets, history, { firstEvent: firstEvent + start, now });
    });
  }
}

const CALLED_UP_BEFORE: ReadonlySet<number> = new Set([5, 6, 7, 9, 11, 12, 13, 15]);

/** By number only, so that the random values of other columns stay the same. */
const callUpOf = (number: number, at: Date) => ({
  callUpStatus: number % 10 === 0 ? 2 : 3,
  callUpType: number % 4,
  callUpDate: toMoment(new Date(at.getTime() + (1 + (number % 20)) * 86_400_000)),
});

/** Maps 0 to 1 to the working hours of the last years. */
function workingTimeBefore(now: Date): (part: number) => Date {
  const today = localDate(now);
  const days = Array.from({ length: DAYS_BACK }, (_, index) => addDays(today, index - DAYS_BACK)).filter(
    (day) => !isWeekend(parseISO(day)) && !isHoliday(day),
  );
  const openings = days.map((day) => momentThere(day, 8, 0).getTime());
  return (part) => {
    const day = Math.floor(part * openings.length);
    return new Date(openings[day]! + (part * openings.length - day) * WORKING_HOURS_MS);
  };
}

function caseOf(random: Random, mayBeAcute: boolean) {
  let filled = fillCase(random);
  while (!mayBeAcute && isAcute(filled)) filled = fillCase(random);
  return {
    referenceType: isAcute(filled) ? 1 : 0,
    callType: random.integer(0, 2),
    diagnose: filled.diagnose,
    previousTreatment: filled.previousTreatment,
    desiredTreatment: filled.desiredTreatment,
    comment: filled.comment,
  };
}

/** Equal in all referrals of a patient; the rest depends on the case. */
const formOf = (patient: DemoPatient): WrittenPatient => ({
  ...unknownFacts,
  ...patient,
  desiredTreatment: "",
});
