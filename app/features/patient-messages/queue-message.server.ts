import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { FIRST_HOUR, operationMoment } from "~/features/referrals/model/operation-moment";
import { endOfMoment, hasBegun } from "~/features/referrals/model/operation-start.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/statuses";
import { type Obstacle, obstacleTexts, recipientOf, type PatientContact, type Way } from "./ways";
import type { ChangeContext } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet } from "~/features/delivery/channels/index.server";
import type { ChannelName } from "~/features/delivery/delivery-outcome";
import { answerSentence } from "~/features/delivery/templates/template-kinds";
import type { MessageText, TemplateKind } from "~/features/delivery/templates/message-templates";
import {
  type PlaceholderValues,
  fillPlaceholders,
  missingValues,
  type PlaceholderName,
  placeholders,
  usedPlaceholders,
  noValues,
} from "~/features/delivery/templates/placeholders";
import { renderMail } from "~/features/delivery/render-mail.server";
import { readLetterhead, type Letterhead } from "~/features/settings/settings.server";
import type { Portal } from "~/portal.server";
import type { DbOrTx } from "~db/connection.server";
import { sealedCpr } from "~/access/sealed-column.server";
import { readTexts } from "~/features/delivery/templates/compose-mail.server";
import { findTreatment } from "~/features/referrals/store/treatment-store.server";
import { plainSms } from "~/text/sms";
import { ageOn } from "~/text/cpr";
import { localDate, showDay } from "~/text/dates";
import { twoDigits } from "~/text/numbers";
import type { Envelope } from "~/features/delivery/port";
import { z } from "zod";

/** Why a message of this kind must not be sent in this status; checked when queued and again before sending. */
export function caseObstacle(kind: Kind, { status }: Pick<ReferralRow, "status">): Obstacle | null {
  if (messageKinds[kind].needsOpenCase !== true) return null;
  if (status === CLOSED) return "closed";
  return status === DECLINED ? "declined" : null;
}

/** Why a patient must not be told the referral's time; null also without a time. */
export function timeObstacle(row: ReferralRow, now: Date): Obstacle | null {
  const moment = operationMoment(row);
  if (moment === null) return null;
  if (row.cancellationDate !== null) return "timeCancelled";
  const isOver = row.operationHour === null ? now >= endOfMoment(moment) : hasBegun(moment, now);
  return isOver ? "timeOver" : null;
}

/** The obstacle to a message of this kind by a channel; null if there is none. */
export function obstacleTo(
  portal: Portal,
  { kind, channel, namesTime = false }: { kind: Kind; channel: ChannelName; namesTime?: boolean },
  row: ReferralRow,
): Obstacle | null {
  const inCase = caseObstacle(kind, row);
  if (inCase !== null) return inCase;
  if (!isChannelSet(portal, channel)) return "notConfigured";
  const recipient = recipientOf(channel, contactOf(portal, row));
  if ("obstacle" in recipient) return recipient.obstacle;
  return namesTime ? timeObstacle(row, portal.clock.now()) : null;
}

/**
 * Queues a message to a referral's patient with its present text. `field` is the form field of the channel. Throws
 * `invalid` with the reason if it cannot be sent.
 */
export async function queuePatientMessage(
  { tx, outbox, portal, actor }: Pick<ChangeContext, "tx" | "outbox" | "portal" | "actor">,
  {
    kind,
    channel,
    referral,
    field,
    storedFileId,
    resendsId,
    values = {},
    text: ownText,
    expiresAt,
  }: {
    kind: TemplateKind;
    channel: ChannelName;
    referral: ReferralRow;
    field?: string;
    values?: Partial<PlaceholderValues>;
    text?: MessageText;
  } & Pick<Envelope, "storedFileId" | "resendsId" | "expiresAt">,
) {
  const refuse = (text: string) => new Refusal("invalid", { text, fields: field ? { [field]: [text] } : {} });
  const compose = await composerOf(tx, portal, ownText === undefined ? [kind] : []);
  const [message] = await compose(referral, kind, [channel], { values, text: ownText });
  const namesTime = message?.namesTime ?? false;
  const obstacle = obstacleTo(portal, { kind, channel, namesTime }, referral);
  if (obstacle !== null) throw refuse(`${obstacleTexts[obstacle]}.`);
  const recipient = recipientOf(channel, contactOf(portal, referral));
  if (message === undefined || "obstacle" in recipient) throw refuse("Beskeden kan ikke sendes på den måde.");
  if (message.missing.length > 0) throw refuse(missingValuesText(message.missing));
  const { subject, body } = message;
  const envelope = {
    kind,
    to: recipient.to,
    referralId: referral.id,
    requestedBy: actor.kind === "person" ? actor.id : undefined,
    expiresAt,
    storedFileId,
    resendsId,
    operationMoment: namesTime ? operationMoment(referral) : undefined,
  };
  const text = { subject, body };
  switch (channel) {
    case "email": {
      const letterhead = await readLetterhead(tx, portal.config);
      const mail = renderMail({
        productName: letterhead.clinicName,
        subject,
        paragraphs: body.split(/\n{2,}/),
        answer: answerSentence(letterhead, "patient"),
      });
      return { outboxId: await outbox.email({ ...envelope, ...mail }), text };
    }
    case "sms":
      return { outboxId: await outbox.sms({ ...envelope, text: body }), text };
    case "eboks":
      return { outboxId: await outbox.eboks({ ...envelope, title: subject, text: body }), text };
    case "print":
      return { outboxId: await outbox.print({ ...envelope, title: subject, text: body }), text };
    case "edi":
    case "archive":
      throw refuse("Beskeden kan ikke sendes på den måde.");
  }
}

type Reader = Pick<Portal, "config" | "secrets">;

/** Digital Post begins at 15 years. */
const DIGITAL_POST_AGE = 15;

export function contactOf({ secrets, clock }: Pick<Portal, "secrets" | "clock">, row: ReferralRow): PatientContact {
  return {
    cpr: sealedCpr.open(secrets, row),
    firstName: row.firstName,
    lastName: row.lastName,
    address: row.address,
    zip: row.zip,
    city: row.city,
    mobilePhone: row.mobilePhone,
    email: row.email,
    isWithoutEboks: row.patientWithoutEboks,
    isUnder15: (ageOn(row.birthDate, localDate(clock.now())) ?? DIGITAL_POST_AGE) < DIGITAL_POST_AGE,
    isTest: row.isTest,
  };
}

export interface ComposedMessage extends MessageText {
  channel: ChannelName;
  missing: PlaceholderName[];
  namesTime: boolean;
}

const TEST = "TEST: ";

/** Composes a kind's texts for a referral; channels that the kind cannot use are left out. */
export type Composer = (
  referral: ReferralRow,
  kind: TemplateKind,
  channels: readonly ChannelName[],
  options?: {
    /** Values besides the referral's, such as a generated link. */
    values?: Partial<PlaceholderValues> | undefined;
    text?: MessageText;
  },
) => Promise<ComposedMessage[]>;

/** Reads the letterhead and the texts of some kinds once, and each treatment once. */
export async function composerOf(db: DbOrTx, { config }: Reader, kinds: readonly TemplateKind[]): Promise<Composer> {
  const letterhead = await readLetterhead(db, config);
  const textOf = await readTexts(db, kinds);
  const treatments = new Map<number | null, ReturnType<typeof findTreatment>>();
  return async (referral, kind, channels, { values: extra, text } = {}) => {
    const { treatmentTypeId: typeId } = referral;
    if (!treatments.has(typeId)) treatments.set(typeId, findTreatment(db, typeId));
    const treatment = await treatments.get(typeId)!;
    // Tests must be recognisable to any recipient.
    const mark = referral.isTest ? TEST : "";
    return channels.flatMap((channel) => {
      const used = text ?? textOf(kind, channel);
      if (used === null) return [];
      const { subject, body } = used;
      const values = { ...placeholderValues(channel, referral, treatment, letterhead), ...extra };
      return {
        channel,
        subject: subject === "" ? "" : mark + fillPlaceholders(subject, values),
        body: asSent(channel, (subject === "" ? mark : "") + fillPlaceholders(body, values)),
        missing: missingValues(`${subject}\n${body}`, values),
        namesTime: namesItsTime(kind, `${subject}\n${body}`),
      };
    });
  };
}

/** Each way of a kind of message: what prevents it, and the message as it would be sent. */
export async function composeWays(
  portal: Portal,
  row: ReferralRow,
  compose: Composer,
  { kind, ways, values }: { kind: TemplateKind; ways: readonly Way[]; values?: Partial<PlaceholderValues> },
) {
  const channels = ways.map(({ channel }) => channel);
  const messages = await compose(row, kind, channels, { values });
  return ways.map(({ value, channel }) => {
    const message = messages.find((each) => each.channel === channel);
    return {
      type: value,
      obstacle: obstacleTo(portal, { kind, channel, namesTime: message?.namesTime }, row),
      subject: message?.subject ?? "",
      body: message?.body ?? "",
      missing: message?.missing ?? [],
    };
  });
}

/** The field that says by which of the ways a message is sent. */
export const wayField = (ways: readonly Way[], error: string) =>
  z.coerce
    .number<unknown>(error)
    .int()
    .refine((typed) => ways.some(({ value }) => value === typed), error);

const OF_TIME: readonly PlaceholderName[] = ["dato", "klokkeslæt"];

function namesItsTime(kind: TemplateKind, text: string): boolean {
  const { tellsTime } = messageKinds[kind];
  return (
    tellsTime === "always" ||
    (tellsTime === "whenNamed" && usedPlaceholders(text).some((name) => OF_TIME.includes(name)))
  );
}

/** The preview equals what is sent: the outbox replaces typographic characters in SMS. */
const asSent = (channel: ChannelName, text: string) => (channel === "sms" ? plainSms(text).trim() : text);

const missingValuesText = (missing: readonly PlaceholderName[]) =>
  `Mangler til teksten: ${missing.map((name) => placeholders[name].label.toLowerCase()).join(", ")}.`;

interface ReferralValues {
  firstName: string;
  operationDate: string | null;
  operationHour: number | null;
  operationMinute: number | null;
  interpreter: string | null;
}

interface Treatment {
  name: string;
  recommendationLink: string | null;
}

/** Removes characters from a name that could form a link, header or markup. */
export const asWord = (name: string) =>
  name
    .replace(/[^\p{L}\p{M}' -]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();

const longDay = new Intl.DateTimeFormat("da-DK", { dateStyle: "full", timeZone: "UTC" });

function dayIn(channel: ChannelName, day: string): string {
  return channel === "sms" ? showDay(day) : longDay.format(new Date(`${day}T12:00:00Z`));
}

/** Empty without an interpreter, so that one text serves all patients. */
function interpreterLine(interpreter: string | null): string {
  const word = asWord(interpreter ?? "");
  return word && `Vi har noteret, at du har brug for tolk: ${word}.`;
}

export function placeholderValues(
  channel: ChannelName,
  referral: ReferralValues,
  treatment: Treatment | null,
  letterhead: Letterhead,
): PlaceholderValues {
  const { operationDate: day, operationHour: hour, operationMinute: minute } = referral;
  const link = treatment?.recommendationLink ?? null;
  return {
    ...noValues,
    fornavn: asWord(referral.firstName) || null,
    dato: day === null ? null : dayIn(channel, day),
    // A day without an hour is stored as midnight.
    klokkeslæt: day === null || hour === null || hour < FIRST_HOUR ? null : `${twoDigits(hour)}.${twoDigits(minute)}`,
    klinik: letterhead.clinicName,
    telefon: letterhead.phone,
    behandling: treatment?.name ?? null,
    tolk: interpreterLine(referral.interpreter),
    anbefaling: link?.startsWith("https://") ? link : null,
  };
}
