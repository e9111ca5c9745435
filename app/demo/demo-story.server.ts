import { execute, plainInput } from "~/access/operation.server";
import { savePatient } from "~/features/referrals/wizard/save-patient.server";
import { saveReferrer } from "~/features/referrals/wizard/save-referrer.server";
import { sendReferral } from "~/features/referrals/wizard/send-referral.server";
import { askForMaterial } from "~/features/referrals/material/ask-for-material.server";
import { setStatus } from "~/features/referrals/status/set-status.server";
import {
  CLOSED,
  DECLINED,
  IN_TREATMENT,
  NOT_REACHED,
  READY_FOR_CALL_UP,
  TRIAGED_URGENT,
  TU,
} from "~/features/referrals/model/statuses";
import type { Portal } from "~/portal.server";
import { isAcute, patientFacts } from "./content/clinical-texts.server";
import { payers } from "./content/clinics.server";
import { callUp, sendTime } from "./demo-call-ups.server";
import { addDocuments } from "./demo-documents.server";
import { addPictures } from "./demo-pictures.server";
import { callerOf, type Story, type Tale } from "./demo-scenario.server";
import { threadOf } from "./demo-threads.server";
import { cancelBySms, planOperation, remind, writeDischargeLetter } from "./demo-treatments.server";

/** Course of a referral. Most are `treated`; `triaged` and `tu` end there. */
export type Course =
  | "treated"
  | "triaged"
  | "overlaege"
  | "generalAnaesthesia"
  | "material"
  | "calledTwice"
  | "callsBack"
  | "cancelled"
  | "notReached"
  | "declined"
  | "tu";

export interface Plot {
  /** When the referral is begun, in working days. */
  starts: number;
  /** The step of the form after which a draft ends. */
  until: 1 | 2 | 3 | "sent";
  course: Course;
  /** The clinic has not called the patient up yet. */
  waitsForCallUp: boolean;
}

/** Days after the referral was begun, and what happens then. */
export type Act = [after: number, act: () => Promise<unknown>];

const [OVERLAEGE, TRIAGED, FOR_ANAESTHESIA, CALLS_BACK, NEW_TIME] = [16, 2, 14, 12, 15];

export async function* referralTale(story: Story, plot: Plot): Tale {
  yield plot.starts;
  const referralId = await refer(story, plot.until);
  if (plot.until !== "sent") return;
  if (plot.waitsForCallUp) story.waiting.add(referralId);
  const acts = [...courseOf(story, referralId, plot), ...threadOf(story, referralId)];
  for (const [after, act] of acts.sort(([one], [other]) => one - other)) {
    yield plot.starts + after;
    await act();
  }
}

/** Fills and sends the wizard's form; a draft ends after the given step. Returns the referral's number. */
async function refer(story: Story, until: Plot["until"]): Promise<number> {
  const { past, random, writer, referrer } = story;
  const formKey = `demo-${story.patient.cpr}`;
  const form = formOf(story);
  const documents = await addDocuments(story, formKey, form.paymentType);
  const as = (operation: Parameters<typeof execute>[2], input: object) =>
    execute(past, callerOf(writer), operation, plainInput(input));
  await as(savePatient, { formKey, ...form, ...documents });
  const referralId = await newestId(past);
  if (until === 1) return referralId;
  const referrerId = writer === referrer ? undefined : referrer.id;
  await as(saveReferrer, { referralId, referrerId, sendNotification: random.chance(0.25) ? "on" : undefined });
  if (until === 2) return referralId;
  const uploads = random.chance(0.85);
  if (uploads) await addPictures(story, referralId, formKey);
  if (until === "sent")
    await as(sendReferral, { referralId, formKey, radiographsSendType: uploads ? 0 : random.integer(1, 3) });
  return referralId;
}

async function newestId({ db }: Portal): Promise<number> {
  const { id } = await db.selectFrom("referral").select("id").orderBy("id", "desc").limit(1).executeTakeFirstOrThrow();
  return id;
}

function courseOf(story: Story, id: number, { starts, course, waitsForCallUp }: Plot): Act[] {
  const { random, staff, case: filled } = story;
  const surgeon = random.pick(staff.surgeons);
  const isUrgent = isAcute(filled);
  const to = (after: number, status: number, by = surgeon): Act => [after, () => setTo(story, id, status, by)];

  const triage = isUrgent ? random.between(0.2, 0.8) : random.between(0.7, 2.2);
  const triaged = to(triage, isUrgent ? TRIAGED_URGENT : TRIAGED);
  const first: Record<Course, Act[]> = {
    treated: [triaged],
    triaged: [triaged],
    calledTwice: [triaged],
    callsBack: [triaged],
    cancelled: [triaged],
    notReached: [triaged],
    declined: [triaged],
    overlaege: [to(triage, OVERLAEGE), to(triage + 3.4, TRIAGED)],
    generalAnaesthesia: [to(triage, FOR_ANAESTHESIA)],
    material: [[triage, () => requestMaterial(story, id)], to(triage + random.between(5, 9), TRIAGED)],
    tu: [to(triage, TU)],
  };
  if (course === "tu" || course === "triaged") return first[course];
  const since = first[course].at(-1)![0];
  if (waitsForCallUp && (isUrgent || course === "generalAnaesthesia")) return first[course];
  const ready = course === "generalAnaesthesia" ? since + random.between(6, 9) : since + random.between(0.5, 1.3);
  const begun = [...first[course], to(ready, READY_FOR_CALL_UP)];
  if (waitsForCallUp) return begun;

  const called = isUrgent ? ready + 0.1 : Math.max(ready + 0.2, random.between(3.1, 4));
  const isCalled: Act[] = [...begun, [called, () => callUp(story, id)]];
  const again = called + random.between(7, 9);
  const isCalledAgain: Act[] = [...isCalled, [again, () => callUp(story, id)]];
  switch (course) {
    case "declined":
      return [...isCalled, to(called + 3.2, DECLINED, staff.admin)];
    case "notReached":
      return [...isCalledAgain, to(again + 8.1, NOT_REACHED, staff.admin), to(again + 25, CLOSED)];
    case "calledTwice":
      return [...isCalledAgain, ...treat(story, id, { starts, answered: again + random.between(2, 5) })];
    case "callsBack":
      return [
        ...isCalled,
        to(called + 1.3, CALLS_BACK, staff.admin),
        ...treat(story, id, { starts, answered: called + random.between(6, 8) }),
      ];
    case "cancelled": {
      const planned = { starts, answered: called + random.between(1, 3) };
      const day = timeFor(story, planned);
      const cancelled = day - starts - 0.9;
      return [
        ...isCalled,
        ...planFor(story, id, { ...planned, day }),
        [cancelled, () => cancelBySms(story, id)],
        to(cancelled + 1.2, NEW_TIME, staff.admin),
        ...treat(story, id, { starts, answered: cancelled + random.between(6, 8) }),
      ];
    }
    default:
      return [
        ...isCalled,
        ...treat(story, id, { starts, answered: called + (isUrgent ? 0.4 : random.between(0.6, 4)) }),
      ];
  }
}

interface Answered {
  /** When the referral was begun, in working days. */
  starts: number;
  /** Days later on which the patient called. */
  answered: number;
}

/** A working day three to five weeks after the referral was begun; sooner for an urgent one. */
export function timeFor({ random, case: filled }: Story, { starts, answered }: Answered): number {
  const wait = isAcute(filled) ? random.integer(2, 5) : random.integer(17, 24);
  return Math.max(Math.floor(starts) + wait, Math.floor(starts + answered) + 3);
}

function planFor(story: Story, id: number, { starts, answered, day }: Answered & { day: number }): Act[] {
  const { staff } = story;
  const reminder = day - starts - 1.9;
  return [
    [answered, () => planOperation(story, id, day)],
    [answered + 0.01, () => setTo(story, id, IN_TREATMENT, staff.admin)],
    [answered + 0.02, () => sendTime(story, id)],
    // The patients of the coming days are reminded and answer in the story of the SMS.
    ...(day < 1 && reminder > answered + 0.1 ? [[reminder, () => remind(story, id)] satisfies Act] : []),
  ];
}

/** From the patient's call until the case is closed, with a control for some. */
function treat(story: Story, id: number, told: Answered): Act[] {
  const { random, staff } = story;
  const day = timeFor(story, told);
  const surgeon = random.pick(staff.surgeons);
  const letter = day - told.starts + random.between(1.1, 1.5);
  return [
    ...planFor(story, id, { ...told, day }),
    [letter, () => writeDischargeLetter(story, id, surgeon)],
    [letter + 0.2, () => setTo(story, id, CLOSED, surgeon)],
  ];
}

async function setTo({ past }: Story, referralId: number, status: number, by: Story["writer"]): Promise<void> {
  const { statusVersion: seenVersion, status: before } = await statusOf(past, referralId);
  const closedBecause = before === NOT_REACHED ? "notReached" : "treated";
  const input = { referralId, status, seenVersion, closedBecause, isDeleteAttachments: "false" };
  await execute(past, callerOf(by), setStatus, plainInput(input));
}

async function requestMaterial({ past, random, staff }: Story, referralId: number): Promise<void> {
  const { statusVersion: seenVersion } = await statusOf(past, referralId);
  const kinds = [random.pick(["panorama", "cbct", "journal", "medication"])];
  const by = random.pick(staff.surgeons);
  await execute(past, callerOf(by), askForMaterial, plainInput({ referralId, seenVersion, kinds }));
}

const statusOf = ({ db }: Portal, id: number) =>
  db.selectFrom("referral").select(["status", "statusVersion"]).where("id", "=", id).executeTakeFirstOrThrow();

export function formOf({ patient, case: filled, random, ediId }: Story) {
  const paymentType = random.pick(patient.isChild ? [3, 3, 3, 0] : [0, 0, 0, 0, 1, 2]);
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
    referenceType: isAcute(filled) ? 1 : 0,
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
    withPrompts: "on",
    ...patientFacts[Number(patient.cpr.slice(4, 6)) % patientFacts.length],
    isHealthInsurance: isMember ? "yes" : "no",
    healthInsuranceType: isMember ? random.integer(0, 3) : 0,
  };
}
