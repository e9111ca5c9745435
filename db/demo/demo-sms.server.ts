import { addDays, addHours, subDays } from "date-fns";
import type { Caller } from "~/access/caller";
import type { Person } from "~/access/actor";
import { confirmAppointment } from "~/features/appointment-answers/answer-appointment.server";
import { receiveSmsEvent } from "~/features/delivery/receive-sms.server";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { offerTime } from "~/features/freed-times/offer-time.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import {
  replySms,
  sendSmsWithCancellation,
  sendSmsWithoutCancellation,
} from "~/features/sms-threads/operations.server";
import { placeAnswers } from "~/features/sms-threads/place-answer.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";
import { localDate } from "~/text/dates";
import { toE164 } from "~/text/phone";
import type { DemoProviders } from "./demo-providers.server";
import { callerOf, type StoryClock } from "./demo-scenario";
import { execute, plainInput } from "~/access/operation.server";

interface Scene {
  past: Portal;
  providers: DemoProviders;
  clock: StoryClock;
  by: Person;
}

/** Appointments in days from today with the patients' answers: certain, possible and irrelevant ones. */
const patients: readonly {
  inDays: number;
  hour: number;
  answers: readonly string[];
  reply?: string;
  confirms?: true;
}[] = [
  { inDays: 1, hour: 8, answers: [] },
  { inDays: 1, hour: 9, answers: ["Ok tak 👍"] },
  { inDays: 1, hour: 10, answers: ["Afbud til i morgen, jeg er desværre blevet syg. Vil gerne have en ny tid"] },
  { inDays: 1, hour: 11, answers: ["Hvor kan jeg parkere?"], reply: "Der er parkering bag huset. Vi ses." },
  { inDays: 2, hour: 9, answers: ["Jeg kan ikke komme, kan vi flytte tiden?"] },
  { inDays: 2, hour: 10, answers: ["STOP"] },
  { inDays: 2, hour: 13, answers: ["AFBUD!!"] },
  { inDays: 3, hour: 8, answers: ["aflys ikke, jeg kommer"] },
  { inDays: 3, hour: 9, answers: ["Jeg kommer 10 min for sent"] },
  { inDays: 4, hour: 10, answers: [], confirms: true },
  { inDays: 4, hour: 11, answers: [], confirms: true },
];

const strangers = [
  { from: "+4510887701", text: "Afbud" },
  { from: "+4510887702", text: "Hej, det er Lises mor. Vi kommer alligevel på torsdag" },
];

/** Appointments of the coming days with reminders and answers, judged by the page's own job. */
export async function addSms(scene: Scene): Promise<void> {
  const { past, providers, clock, by } = scene;
  const today = clock.at;
  const chosen = await findPatients(past, patients.length);
  const caller = systemCaller("demo");
  let events = 0;
  const answer = async (from: string, text: string) => {
    const eventId = `demo-sms-${(events += 1)}`;
    await execute(past, caller, receiveSmsEvent, plainInput({ kind: "reply", eventId, from, text }));
    await placeAnswers(past, caller);
  };
  const deliverAll = async () => {
    for (let times = 0; times < 3; times += 1) await providers.deliver("sms");
  };
  for (const [index, scripted] of patients.entries()) {
    const patient = chosen[index];
    const number = patient === undefined ? null : toE164(patient.mobile_phone ?? "");
    if (patient === undefined || number === null) continue;
    clock.set(addHours(subDays(today, 2), index / 4));
    await providers.as(by, editPlan, {
      referralId: patient.id,
      seenVersion: patient.version,
      operationDate: localDate(addDays(today, scripted.inDays)),
      operationTimeHours: String(scripted.hour),
      operationTimeMinutes: "15",
      operationDuration: "45",
      ...(patient.treatment_type_id === null ? {} : { treatmentType: patient.treatment_type_id }),
    });
    await providers.as(by, index % 3 === 0 ? sendSmsWithoutCancellation : sendSmsWithCancellation, {
      referralId: patient.id,
    });
    await deliverAll();
    if (scripted.confirms) {
      clock.pass(20);
      const operationMoment = `${localDate(addDays(today, scripted.inDays))} ${scripted.hour}:15`;
      await execute(
        past,
        patientCaller(patient.id, operationMoment),
        confirmAppointment,
        plainInput({ token: "demo" }),
      );
    }
    for (const text of scripted.answers) {
      clock.pass(20);
      await answer(number, text);
    }
    await deliverAll();
    if (scripted.reply === undefined) continue;
    clock.pass(1);
    await execute(
      past,
      callerOf(by),
      replySms,
      plainInput({ referralId: patient.id, formKey: `demo-sms-${index}`, text: scripted.reply }),
    );
    await deliverAll();
  }
  for (const { from, text } of strangers) await answer(from, text);
  clock.at = today;
  await offerOne(scene);
  await deliverAll();
}

const patientCaller = (referralId: number, operationMoment: string): Caller => ({
  ...systemCaller("demo"),
  actor: { kind: "patientToken", referralId, purpose: "appointmentAnswer", letterNumber: null, operationMoment },
});

/** Offers the last free time to the patient who has waited longest. */
async function offerOne({ past, providers, by }: Scene): Promise<void> {
  const { freedTimes } = await execute(past, callerOf(by), listFreedTimes, plainInput({}));
  const time = freedTimes.findLast(({ canBeOffered, waiting }) => canBeOffered && waiting.length > 0);
  if (time) await providers.as(by, offerTime, { freedTimeId: time.id, referralId: time.waiting[0]!.referralId });
}

const findPatients = ({ db }: Portal, count: number) =>
  db
    .selectFrom("referral")
    .select(["id", "version", "mobile_phone", "treatment_type_id"])
    .where("status", "=", 6)
    .where("is_test", "=", 0)
    .where("mobile_phone", "is not", null)
    .orderBy("id", "desc")
    .limit(count)
    .execute();
