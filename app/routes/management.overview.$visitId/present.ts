import type { SerializeFrom } from "@remix-run/node";
import {
  appointmentTypeLabel,
  callUpNotice,
  callUpState,
  callUpTypeLabel,
  deliveryState,
  letterState,
} from "~/features/referrals/details/sent-items";
import { showDateTime, showDay } from "~/text/dates";
import type { loader } from "./route";

type Values = SerializeFrom<typeof loader>;
type Sections = Values["sections"];

/** Letter attempts are shown as n/2. */
const MAX_ATTEMPTS = 2;

/** What the open referral says, in words. */
export const presentReferral = (referral: Values) => ({
  ...referral,
  messages: presentThread(referral.messages),
  sections: presentSections(referral.sections),
});

/** Who wrote and when. What the clinic writes, its people write in its name. */
const presentThread = (thread: Values["messages"]) => ({
  ...thread,
  items: thread.items.map(({ authorName, isFromClinic, createdAt, editedAt, ...message }) => ({
    ...message,
    author: isFromClinic ? `Klinikken, ${authorName}` : authorName,
    at: showDateTime(createdAt),
    editedAt: editedAt === null ? null : showDateTime(editedAt),
  })),
});

const sentAt = (moment: string | null) => (moment === null ? "Ingen afsendelsesdato" : showDateTime(moment));

/** The plan's lines and what was sent: how, when, and how it went. */
const presentSections = ({ appointments, callUpStatus, callUps, appointmentLetters, billing, letters }: Sections) => ({
  appointments: appointments.map(({ date, time, ...line }) => ({
    ...line,
    date: time ? `${showDay(date)} kl. ${time.replace(":", ".")}` : showDay(date),
  })),
  callUpNotice: callUpNotice[callUpStatus ?? 0] ?? null,
  callUps: callUps.map(({ id, type, status, sentAt: at, content }) => ({
    id,
    type: callUpTypeLabel(type),
    at: sentAt(at),
    state: callUpState(status),
    content,
  })),
  appointmentLetters: appointmentLetters.map(({ id, type, status, sentAt: at, content }) => ({
    id,
    type: appointmentTypeLabel(type),
    at: sentAt(at),
    state: deliveryState(status),
    content,
  })),
  billing: billing.map(({ id, kind, status, sentAt: at }) => ({
    id,
    type: kind === "invoice" ? "Faktura" : "Overslag",
    at: sentAt(at),
    state: deliveryState(status),
  })),
  letters: letters.map(({ delivery, sentAt: at, ...letter }) => ({
    ...letter,
    at: sentAt(at),
    attempts: delivery && `${delivery.attempts}/${MAX_ATTEMPTS}`,
    state: delivery && letterState(delivery.status, delivery.error),
  })),
});
