import { withoutSync } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { execute, plainInput } from "~/access/operation.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import { CALLED_UP, CALLED_UP_AGAIN, READY_FOR_CALL_UP, statuses } from "~/features/referrals/model/status";
import type { Portal } from "~/portal.server";
import { fillCase } from "./content/clinical-texts";
import { payers } from "./content/clinics";
import { createPatients } from "./content/people";
import { createRandom, type Random } from "./content/seeded-random";
import { callUp } from "./demo-call-ups.server";
import { addThread } from "./demo-threads.server";
import { addDeliveries } from "./demo-deliveries.server";
import { addDocuments } from "./demo-documents.server";
import { addEdi } from "./demo-edi.server";
import { addPictures, drawPictures } from "./demo-pictures.server";
import { createDemoProviders } from "./demo-providers.server";
import { addSms } from "./demo-sms.server";
import { addOutcome, addPlan } from "./demo-sections.server";
import { addWaitingCallUps } from "./demo-waiting-call-ups.server";
import { callerOf, createStoryClock, type Story } from "./demo-scenario";
import { demo, makeDemoPeople } from "./demo-people.server";

const SEED = 20261201;
const REFERRALS = 400;
const DRAFTS = 12;
const BY_EDI = 2;
const DAYS_BACK = 330;

/**
 * Fills an empty database with people and about 400 referrals over all 17 statuses, the same on every machine but dated from today.
 * Every referral goes through the wizard's own operations, with the clock set back. Returns null when there are people already.
 */
export async function makeDemoData(portal: Portal) {
  const someone = await portal.db
    .selectFrom("user")
    .select(["id", "user_name"])
    .where("user_name", "=", "tandlaege2")
    .executeTakeFirst();
  if (someone) return demo;
  if (await portal.db.selectFrom("user").select("id").limit(1).executeTakeFirst()) return null;
  console.log("Første start: laver demodata …");
  const today = portal.clock.now();
  await withoutSync(portal.db, async () => {
    const people = await makeDemoPeople(portal, daysBefore(today, DAYS_BACK + 30));
    await makeReferrals(portal, [...people.values()], today);
    await addDeliveries(portal, today);
  });
  return demo;
}

function daysBefore(day: Date, days: number): Date {
  return new Date(day.getTime() - days * 86_400_000);
}

async function makeReferrals(portal: Portal, people: Person[], today: Date): Promise<void> {
  const random = createRandom(SEED);
  const clock = createStoryClock(today);
  const past: Portal = {
    ...portal,
    clock,
    outboxIn: (tx) => ({ ...portal.outboxIn(tx), email: async () => 0, emails: async () => undefined }),
  };
  const providers = createDemoProviders(past);
  const everybody = createPatients(REFERRALS + DRAFTS + BY_EDI, SEED, today);
  const patients = everybody.slice(0, REFERRALS + DRAFTS);
  const pictures = await drawPictures();
  const referrers = people.filter((person) => person.roles.includes("Dentist") && person.userName !== "aaegidius");
  const secretaries = people.filter((person) => person.roles.some((role) => role.includes("Secretary")));
  const staff = people.filter((person) => can(person, "referral.editSent"));
  for (const [index, patient] of patients.entries()) {
    const isDraft = index >= REFERRALS;
    const age = isDraft ? random.between(0, 20) : DAYS_BACK * (1 - index / REFERRALS) ** 1.6 + 0.05;
    const began = daysBefore(today, age);
    clock.set(began);
    const referrer = index === 0 ? referrers[0]! : random.pick(referrers);
    const colleague = secretaries.find((person) => person.clinicIds.includes(referrer.primaryClinicId!));
    const isEdi = !isDraft && random.chance(0.2);
    const writer = isEdi ? staff[0]! : random.chance(0.4) && colleague ? colleague : referrer;
    const story: Story = {
      past,
      providers,
      clock,
      random,
      patient,
      pictures,
      case: fillCase(random),
      writer,
      referrer,
      staff,
      ediId: isEdi ? String(900_000 + index) : null,
    };
    await playStory(story, isDraft ? random.integer(1, 3) : "sent", began.getTime(), age);
    if (!patient.hasEboks)
      await portal.db
        .updateTable("referral")
        .set({ patient_without_eboks: 1 })
        .where("id", "=", await newestId(portal))
        .execute();
  }
  clock.at = today;
  await addWaitingCallUps({ past, providers, clock, by: staff[0]! });
  await addSms({ past, providers, clock, by: staff[0]! });
  await addEdi(past, clock, everybody.slice(-BY_EDI));
}

async function newestId(portal: Portal): Promise<number> {
  const { id } = await portal.db
    .selectFrom("referral")
    .select("id")
    .orderBy("id", "desc")
    .limit(1)
    .executeTakeFirstOrThrow();
  return id;
}

/** Plays one referral from its first form to its present state; a draft ends after the given step. */
async function playStory(story: Story, until: number | "sent", moment: number, daysOld: number): Promise<void> {
  const { past, clock, random, writer, referrer, staff } = story;
  const formKey = `demo-${story.patient.cpr}`;
  const form = formOf(story);
  const documents = await addDocuments(story, formKey, form.paymentType);
  await execute(past, callerOf(writer), savePatient, plainInput({ formKey, ...form, ...documents }));
  const referralId = await newestId(past);
  if (until === 1) return;
  const referrerId = writer === referrer ? undefined : referrer.id;
  await execute(
    past,
    callerOf(writer),
    saveReferrer,
    plainInput({ referralId, referrerId, sendNotification: random.chance(0.5) ? "on" : undefined }),
  );
  if (until === 2) return;
  const uploads = random.chance(0.85);
  if (uploads) await addPictures(story, referralId, formKey);
  if (until === 3) return;
  await execute(
    past,
    callerOf(writer),
    sendReferral,
    plainInput({ referralId, formKey, radiographsSendType: uploads ? 0 : random.integer(1, 3) }),
  );
  const way = pathTo(random, daysOld);
  const dayOf = (step: number) => new Date(moment + Math.min(step * 20_000_000, 86_000_000) * daysOld);
  const last = way.at(-1) ?? 0;
  for (const [step, status] of way.entries()) {
    if (step === way.length - 1) {
      clock.set(dayOf(step + 0.8));
      await addPlan(story, referralId, last);
    }
    clock.set(dayOf(step + 1));
    // Calling the patient up has set this status.
    if (status === CALLED_UP || status === CALLED_UP_AGAIN) {
      await callUp(story, referralId, { isFirst: status === CALLED_UP });
      continue;
    }
    await execute(
      past,
      callerOf(random.pick(staff)),
      setStatus,
      plainInput({
        referralId,
        status,
        seenVersion: await statusVersionOf(past, referralId),
        isDeleteAttachments: "false",
      }),
    );
    if (status === READY_FOR_CALL_UP && status !== last && last !== CALLED_UP) {
      clock.set(dayOf(step + 1.5));
      await callUp(story, referralId, { isFirst: true });
    }
  }
  await addOutcome(story, referralId, last);
  if (random.chance(0.35)) await addThread(story, referralId, moment, daysOld);
}

async function statusVersionOf(portal: Portal, id: number): Promise<number> {
  const row = await portal.db
    .selectFrom("referral")
    .select("status_version")
    .where("id", "=", id)
    .executeTakeFirstOrThrow();
  return row.status_version;
}

/** Days after which nearly nobody waits in a status any more, as at a clinic without backlog. */
const maxWaitDays: Record<number, number> = { 0: 14, 1: 8, 2: 28, 3: 35, 4: 40, 16: 21 };

function pathTo(random: Random, daysOld: number): number[] {
  if (daysOld < 4 && random.chance(0.6)) return [];
  const drawn = daysOld > 60 && random.chance(0.5) ? 7 : random.pick(statuses).value;
  const waitedOut = daysOld > (maxWaitDays[drawn] ?? Infinity) && !(daysOld < 45 && random.chance(0.04));
  const last = waitedOut ? random.pick([7, 7, 7, 6, 8]) : drawn;
  if (last === 0) return [];
  const triaged = [16, 1, 2, 14, 4].includes(last) ? [] : [random.chance(0.15) ? 1 : 2];
  const called = [5, 9, 6, 15, 12, 11, 13, 7].includes(last) ? [3] : [];
  return [...triaged, ...called, last];
}

function formOf({ patient, case: filled, random, ediId }: Story) {
  const paymentType = random.pick([0, 0, 0, 0, 1, 2, 3]);
  const institution = random.pick(payers.institutions);
  const isMember = random.chance(0.45);
  const text = (value: string | null) => value ?? undefined;
  return {
    cpr6: patient.cpr.slice(0, 6),
    cpr4: patient.cpr.slice(7),
    visitType: ediId ? "edi" : "simple",
    externalId: text(ediId),
    firstName: patient.firstName,
    lastName: patient.lastName,
    profession: text(patient.profession),
    address: patient.address,
    zip: patient.zip,
    city: patient.city,
    phone: text(patient.phone),
    mobilePhone: text(patient.mobilePhone),
    email: text(patient.email),
    emailConfirm: text(patient.email),
    referenceType: random.chance(0.12) ? 1 : 0,
    callType: random.integer(0, 2),
    paymentType,
    ...(paymentType === 1
      ? { insuranceCompany: random.pick(payers.insurers), policeClaim: `${random.integer(100_000, 999_999)}` }
      : {}),
    ...(paymentType > 1
      ? {
          regionNumber: institution.regionNumber,
          regionInstitution: institution.institution,
          regionAddress: institution.address,
          regionZip: institution.zip,
          regionCity: institution.city,
        }
      : {}),
    approvalType: paymentType === 0 ? 0 : random.integer(1, 2),
    diagnose: text(filled.diagnose),
    previousTreatment: text(filled.previousTreatment),
    desiredTreatment: filled.desiredTreatment,
    comment: text(filled.comment || null),
    isHealthInsurance: isMember ? "yes" : "no",
    healthInsuranceType: isMember ? random.integer(0, 3) : 0,
  };
}
