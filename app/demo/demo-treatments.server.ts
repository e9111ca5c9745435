import type { Person } from "~/access/actor";
import { execute, plainInput } from "~/access/operation.server";
import { receiveSmsEvent } from "~/features/delivery/receive-reports.server";
import { writeLetter } from "~/features/discharge-letters/write-letter.server";
import { editPlan } from "~/features/referrals/details/edit-referral.server";
import { sendSmsWithCancellation } from "~/features/sms-threads/operations.server";
import { placeAnswers } from "~/features/sms-threads/place-answer.server";
import { systemCaller } from "~/access/system-caller";
import type { Portal } from "~/portal.server";
import { showDay } from "~/text/dates";
import { toE164 } from "~/text/phone";
import { letterPhrases } from "./content/clinical-texts.server";
import { callerOf, type Story } from "./demo-scenario.server";

export async function planOperation(story: Story, referralId: number, day: number): Promise<void> {
  const { past, clock, random, staff, case: filled } = story;
  const { version } = await past.db
    .selectFrom("referral")
    .select("version")
    .where("id", "=", referralId)
    .executeTakeFirstOrThrow();
  const surgeon = random.pick(staff.surgeons);
  const plan = {
    operationDate: showDay(clock.day(day)),
    operationTimeHours: random.integer(8, 14),
    operationTimeMinutes: random.pick([0, 15, 30, 45]),
    operationDuration: filled.treatment.duration,
    treatmentType: await treatmentTypeNamed(past, filled.treatment.name),
    surgeonId: surgeon.id,
    price: String(filled.treatment.price),
    surgeonComment: filled.surgeonComment,
  };
  await execute(past, callerOf(surgeon), editPlan, plainInput({ referralId, seenVersion: version, ...plan }));
}

async function treatmentTypeNamed({ db }: Portal, name: string): Promise<number> {
  const type = await db.selectFrom("treatmentType").select("id").where("name", "=", name).executeTakeFirstOrThrow();
  return type.id;
}

/** Reminds a patient with a mobile phone of the time, as the clinic does from its list of SMS. */
export async function remind({ providers, patient, staff }: Story, referralId: number): Promise<void> {
  if (patient.mobilePhone !== null) await providers.as(staff.admin, sendSmsWithCancellation, { referralId });
}

/** Without a mobile phone the patient has called, and the clinic sets the status. */
export async function cancelBySms({ past, patient }: Story, referralId: number): Promise<void> {
  const from = toE164(patient.mobilePhone ?? "");
  if (from === null) return;
  const caller = systemCaller("demo");
  const text = "Afbud, jeg er desværre blevet syg. Vil gerne have en ny tid";
  const eventId = `demo-cancelled-${referralId}`;
  await execute(past, caller, receiveSmsEvent, plainInput({ kind: "reply", eventId, from, text }));
  await placeAnswers(past, caller);
}

/** Writes the discharge letter of an operation, with an image in every second one. */
export async function writeDischargeLetter(story: Story, referralId: number, surgeon: Person): Promise<void> {
  const { past, providers, random } = story;
  const images = await past.db
    .selectFrom("referralFile")
    .select("id")
    .where("referralId", "=", referralId)
    .where("radiographType", "in", [0, 2])
    .where("deletedAt", "is", null)
    .limit(1)
    .execute();
  await providers.as(surgeon, writeLetter, {
    referralId,
    letterNumber: 1,
    ...letterTexts(story),
    images: random.chance(0.5) ? images.map(({ id }) => id) : [],
  });
}

export const letterTexts = ({ random, case: filled }: Story) => ({
  diagnosis: filled.diagnose,
  treatment: `${filled.treatment.name}${filled.tooth && ` regio ${filled.tooth}`}. ${random.pick(letterPhrases.treatment).text}`,
  medicine: random.pick(letterPhrases.medicine).text,
  followUp: random.pick(letterPhrases.followUp).text,
});
