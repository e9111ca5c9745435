import type { Person } from "~/access/actor";
import type { Caller } from "~/access/caller";
import { execute, plainInput } from "~/access/operation.server";
import { confirmAppointment } from "~/features/appointment-answers/answer-appointment.server";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { listFreedTimes } from "~/features/freed-times/list-freed-times.server";
import { offerTime } from "~/features/freed-times/offer-time.server";
import {
  replySms,
  sendSmsWithCancellation,
  sendSmsWithoutCancellation,
} from "~/features/sms-threads/operations.server";
import { placeAnswers } from "~/features/sms-threads/place-answer.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { toE164 } from "~/text/phone";
import type { DemoProviders } from "./demo-providers.server";
import { callerOf, type StoryClock, type Tale } from "./demo-scenario.server";

interface Scene {
  providers: DemoProviders;
  clock: StoryClock;
  by: Person;
}

/** Answers of the patients with the next appointments: certain, possible and irrelevant ones. */
const answers: readonly { says: readonly string[]; reply?: string; confirms?: true }[] = [
  { says: [] },
  { says: ["Ok tak 👍"] },
  { says: ["Afbud, jeg er desværre blevet syg. Vil gerne have en ny tid"] },
  { says: ["Hvor kan jeg parkere?"], reply: "Der er parkering bag huset. Vi ses." },
  { says: ["Jeg kan ikke komme, kan vi flytte tiden?"] },
  { says: ["STOP"] },
  { says: ["AFBUD!!"] },
  { says: ["aflys ikke, jeg kommer"] },
  { says: ["Jeg kommer 10 min for sent"] },
  { says: [], confirms: true },
  { says: [], confirms: true },
];

const strangers = [
  { from: "+4510887701", text: "Afbud" },
  { from: "+4510887702", text: "Hej, det er Lises mor. Vi kommer alligevel på torsdag" },
];

/** Reminders of the next appointments, the patients' answers, and a freed time that is offered to another. */
export async function* smsTale({ providers, clock, by }: Scene): Tale {
  const { past } = providers;
  const caller = systemCaller("demo");
  let events = 0;
  const answer = async (from: string, text: string) => {
    const eventId = `demo-sms-${(events += 1)}`;
    await execute(past, caller, receiveSmsEvent, plainInput({ kind: "reply", eventId, from, text }));
    await placeAnswers(past, caller);
  };
  yield -1.8;
  const patients = await findPatients(past, clock.day(1), answers.length);
  for (const [index, patient] of patients.entries()) {
    const { says, reply, confirms } = answers[index]!;
    const referralId = patient.id;
    const send = index % 3 === 0 ? sendSmsWithoutCancellation : sendSmsWithCancellation;
    yield -1.8 + index / 16;
    await providers.as(by, send, { referralId });
    yield -0.9 + index / 16;
    const time = `${patient.operationDate} ${patient.operationHour}:${String(patient.operationMinute).padStart(2, "0")}`;
    if (confirms)
      await execute(past, patientCaller(referralId, time), confirmAppointment, plainInput({ token: "demo" }));
    for (const text of says) await answer(toE164(patient.mobilePhone!)!, text);
    if (reply === undefined) continue;
    yield -0.1;
    await providers.as(by, replySms, { referralId, formKey: `demo-sms-${index}`, text: reply });
  }
  yield 0.1;
  for (const { from, text } of strangers) await answer(from, text);
  yield 0.5;
  await offerOne(past, providers, by);
}

const patientCaller = (referralId: number, operationMoment: string): Caller => ({
  ...systemCaller("demo"),
  actor: { kind: "patientToken", referralId, purpose: "appointmentAnswer", letterNumber: null, operationMoment },
});

/** Offers the last free time to the patient who has waited longest. */
async function offerOne(past: Portal, providers: DemoProviders, by: Person): Promise<void> {
  const { freedTimes } = await execute(past, callerOf(by), listFreedTimes, plainInput({}));
  const time = freedTimes.findLast(({ canBeOffered, waiting }) => canBeOffered && waiting.length > 0);
  if (time) await providers.as(by, offerTime, { freedTimeId: time.id, referralId: time.waiting[0]!.referralId });
}

const findPatients = ({ db }: Portal, from: string, count: number) =>
  db
    .selectFrom("referral")
    .select(["id", "mobilePhone", "operationDate", "operationHour", "operationMinute"])
    .where("status", "=", 6)
    .where("operationDate", ">=", from)
    .where("mobilePhone", "is not", null)
    .orderBy("operationDate")
    .orderBy("id")
    .limit(count)
    .execute();
