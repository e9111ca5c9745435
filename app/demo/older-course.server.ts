import type { Person } from "~/access/actor";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { appointmentWays, callUpWays } from "~/features/patient-messages/ways";
import { URGENT } from "~/features/referrals/model/referral";
import {
  AWAITING_TRIAGE,
  CALLED_UP,
  CALLED_UP_AGAIN,
  CANCELLED_BY_SMS,
  CLOSED,
  DECLINED,
  IN_TREATMENT,
  NEEDS_NEW_TIME,
  NOT_REACHED,
  READY_FOR_CALL_UP,
  TRIAGED,
  TRIAGED_URGENT,
  TU,
} from "~/features/referrals/model/statuses";
import { newDraft, patientColumns } from "~/features/referrals/store/referral-store.server";
import { patientForm } from "~/features/referrals/wizard/patient-form.schema.server";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { isAcute } from "./content/clinical-texts.server";
import { portalPeople } from "./content/clinics.server";
import { chooseWay, waysTo } from "./demo-call-ups.server";
import { byEdi } from "./demo-desk.server";
import type { Story, StoryClock } from "./demo-scenario.server";
import { formOf, timeFor } from "./demo-story.server";

/** Working days after a case is closed until the clinic deletes its letter. */
const LETTER_KEPT = 35;

/** A referral that has ended by now, when it was begun, in working days, and how it went. */
export interface Older {
  story: Story;
  starts: number;
  fate: "treated" | "cancelled" | "notReached" | "declined" | "tu";
}

/** What a person or the portal (null) did with a referral, when, in working days, and the messages that this sent. */
export interface Happening {
  when: number;
  by: Person | null;
  operation: string;
  status?: number;
  event?: string;
  messages?: Message[];
  /** The time that the patient cancels by SMS, `YYYY-MM-DD hh:mm`. */
  cancels?: string;
}

export interface Message {
  kind: "callUp" | "appointmentLetter" | "appointmentReminder" | "invoice" | "dischargeLetter" | "statusNews";
  channel: Exclude<ChannelName, "archive">;
}

export type OlderCourse = ReturnType<typeof courseOf>;

const ENDINGS = { treated: CLOSED, cancelled: CLOSED, notReached: CLOSED, declined: DECLINED, tu: TU } as const;

/** What happened to a referral, the referral's row, and its discharge letter's. */
export function courseOf(
  { secrets }: Portal,
  clock: StoryClock,
  { story, starts, fate }: Older,
  { id, patientId, treatmentTypeId }: { id: number; patientId: number; treatmentTypeId: number },
) {
  const { random, patient, staff, writer, referrer, case: filled } = story;
  const { admin } = staff;
  const surgeon = random.pick(staff.surgeons);
  const isUrgent = isAcute(filled);
  const triaged = starts + (isUrgent ? random.between(0.2, 0.8) : random.between(0.7, 2.2));
  const called = starts + (isUrgent ? 1 : random.between(3.1, 4));
  const again = called + random.between(7, 9);
  const callUpWay = chooseWay(random, waysTo(callUpWays, patient));
  const timeWay = random.pick(waysTo(appointmentWays, patient));
  const plan = { operationHour: random.integer(8, 14), operationMinute: random.pick([0, 15, 30, 45]) };
  const isNotified = random.chance(0.25);
  const news: Message[] = isNotified ? [{ kind: "statusNews", channel: "email" }] : [];

  const dayAfter = (answered: number) => timeFor(story, { starts, answered: answered - starts });
  const firstAnswer = called + (isUrgent ? 0.4 : random.between(0.6, 4));
  const firstDay = dayAfter(firstAnswer);
  const cancelled = firstDay - 0.9;
  const isCancelled = fate === "cancelled" && patient.mobilePhone !== null;
  const answered = isCancelled ? cancelled + random.between(6, 8) : firstAnswer;
  const day = isCancelled ? dayAfter(answered) : firstDay;
  const written = day + random.between(1.1, 1.5);
  const isTreated = fate === "treated" || fate === "cancelled";
  const ended = {
    treated: written + 0.2,
    cancelled: written + 0.2,
    notReached: again + 20,
    declined: called + 3.2,
    tu: triaged,
  }[fate];
  const deleted = ended + LETTER_KEPT;
  const isReminded = isTreated && patient.mobilePhone !== null && day - 1.9 > answered + 0.1;

  const setTo = (when: number, status: number, by: Person | null, event?: string): Happening => ({
    when,
    by,
    operation: "setStatus",
    status,
    messages: news,
    ...(event === undefined ? {} : { event }),
  });
  const callUp = (when: number, status: number): Happening => ({
    ...setTo(when, status, admin, `Indkaldelse i kø (${callUpWay.label})`),
    operation: "sendCallUp",
    messages: [{ kind: "callUp", channel: callUpWay.channel }, ...news],
  });
  const send = (when: number, operation: string, event: string, ...messages: Message[]): Happening => ({
    when,
    by: operation === "writeLetter" ? surgeon : admin,
    operation,
    event,
    messages,
  });
  const planFor = (when: number): Happening[] => [
    { when, by: surgeon, operation: "editPlan", event: "Planen er rettet" },
    setTo(when + 0.01, IN_TREATMENT, admin),
    send(when + 0.02, "sendAppointmentLetter", `Behandlingstid i kø (${timeWay.label})`, {
      kind: "appointmentLetter",
      channel: timeWay.channel,
    }),
  ];
  const invoice: Message = { kind: "invoice", channel: "eboks" };
  const reminder: Message = { kind: "appointmentReminder", channel: "sms" };
  const letterChannels = [...(byEdi.has(referrer.userName) ? (["edi"] as const) : []), "email" as const];
  const treatment = [
    ...planFor(firstAnswer),
    ...(patient.hasEboks ? [send(firstAnswer + 0.02, "sendBill", "Fakturaen er sat i kø (e-Boks)", invoice)] : []),
    ...(isCancelled
      ? [
          {
            ...setTo(cancelled, CANCELLED_BY_SMS, null, "Patienten har meldt afbud pr. SMS"),
            operation: "sms.placeAnswer",
            cancels: `${clock.day(firstDay)} 12:15`,
          },
          setTo(cancelled + 1.2, NEEDS_NEW_TIME, admin),
          ...planFor(answered),
        ]
      : []),
    ...(isReminded ? [send(day - 1.9, "sendSmsWithCancellation", "Påmindelse i kø (med afbud)", reminder)] : []),
    send(
      written,
      "writeLetter",
      "Udskrivningsbrev 1 sat i kø",
      ...letterChannels.map((channel): Message => ({ kind: "dischargeLetter", channel })),
    ),
    setTo(ended, CLOSED, surgeon, "Behandlet"),
    { when: deleted, by: admin, operation: "deleteLetter", event: "Udskrivningsbrev 1 slettet" },
  ];
  const triage = setTo(triaged, isUrgent ? TRIAGED_URGENT : TRIAGED, surgeon);
  const calledUp = [triage, setTo(called - 0.1, READY_FOR_CALL_UP, surgeon), callUp(called, CALLED_UP)];
  const received = setTo(starts, AWAITING_TRIAGE, writer, "Henvisningen er modtaget");
  const history: Happening[] = [
    { ...received, operation: "sendReferral", messages: [] },
    ...{
      treated: [...calledUp, ...treatment],
      cancelled: [...calledUp, ...treatment],
      notReached: [
        ...calledUp,
        callUp(again, CALLED_UP_AGAIN),
        setTo(again + 8.1, NOT_REACHED, admin),
        setTo(ended, CLOSED, admin, "Ikke truffet"),
      ],
      declined: [...calledUp, setTo(ended, DECLINED, admin)],
      tu: [setTo(ended, TU, surgeon)],
    }[fate],
  ];
  const at = (when: number) => toMoment(clock.momentOf(when));
  const isLetterKept = isTreated && deleted >= 1;
  const form = patientForm.parse({ formKey: "older", ...formOf(story) });
  const clinic = { id: writer.id, primaryClinicId: referrer.primaryClinicId };
  const row = {
    ...newDraft(patientColumns(secrets, form, patientId), clinic, clock.momentOf(starts)),
    id,
    sentAt: at(starts),
    sendNotificationToDentist: isNotified,
    modifiedAt: at(ended),
    modifierId: isTreated || fate === "tu" ? surgeon.id : admin.id,
    status: ENDINGS[fate],
    statusSince: at(ended),
    referrerId: referrer.id,
    externalDoctorId: portalPeople.find(({ userName }) => userName === referrer.userName)?.dentistExternalId ?? null,
    availableStep: 3,
    // Images came by post, mail or not at all.
    radiographsSendType: random.integer(1, 3),
    surgeonId: surgeon.id,
    ...(fate === "tu"
      ? {}
      : {
          triagedAt: at(triaged),
          triageUrgency: isUrgent ? URGENT : null,
          callUpStatus: 3,
          callUpType: callUpWay.value,
          callUpDate: at(called),
        }),
    ...(isTreated
      ? {
          operationDate: clock.day(day),
          ...plan,
          operationDuration: filled.treatment.duration,
          operationSetAt: at(answered),
          treatmentTypeId,
          surgeonComment: filled.surgeonComment,
          price: String(filled.treatment.price),
        }
      : {}),
    ...(ENDINGS[fate] === CLOSED ? { closedBecause: isTreated ? "treated" : fate } : {}),
    smsCount: isReminded ? 1 : 0,
    hasCancellationMessage: isCancelled,
    hasDischargeLetter: isLetterKept,
    dischargeSentAt: isLetterKept ? at(written) : null,
  };
  const letterRow = {
    referralId: id,
    letterNumber: 1,
    diagnosisFileId: null as number | null,
    status: 0,
    sendDate: at(written),
    recipientEmail: referrer.email,
    attempts: 1,
    isEdi: byEdi.has(referrer.userName),
    sendEdiAsEmail: true,
    createdAt: at(written),
    deletedAt: isLetterKept ? null : at(deleted),
    ...(isLetterKept
      ? { modifierId: surgeon.id, modifiedAt: at(written) }
      : { modifierId: admin.id, modifiedAt: at(deleted) }),
  };
  return {
    story,
    surgeon,
    row,
    history: history.filter(({ when }) => when < 1),
    letter: letterRow,
    writtenAt: clock.momentOf(written),
  };
}
