import { z } from "zod";
import { unlessTaken } from "~db/connection.server";
import { personName } from "~/access/actor";
import { type Edit, rowIdIn } from "~/access/edit.server";
import { change, type ChangeContext, external, wholeNumber, succeeded } from "~/access/operation.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { fullName } from "~/text/names";
import { Refusal } from "~/access/refusal";
import { channels } from "~/features/delivery/channels/index.server";
import { channelLabels, type ChannelName, channelNames } from "~/features/delivery/delivery-outcome";
import {
  findResent,
  hasBeenSilent,
  lockFailure,
  settleByPerson,
  writeHandled,
} from "~/features/delivery/failure-store.server";
import { followOutcome } from "~/features/delivery/settle-messages.server";
import { settledMessageOf } from "~/features/delivery/port";
import type { Kind } from "~/features/delivery/message-kinds";
import { invalidateFailures } from "~/features/delivery/open-failures.server";
import { COUNTS } from "~/lists/read-page.server";
import { findOutboxMessage } from "~/features/delivery/store.server";
import {
  contactFields,
  type PatientContactInput,
  refuseTakenContact,
  saveContact,
} from "~/features/referrals/details/save-contact.server";
import { optionalEmail, optionalMobilePhone } from "~/text/fields.server";
import type { Undo } from "~/access/caller";
import type { Portal } from "~/portal.server";

const message = z.object({ messageId: wholeNumber.positive() });

const taken = (text: string) => new Refusal("conflict", { text });

type Failure = NonNullable<Awaited<ReturnType<typeof lockFailure>>>;

async function openFailure({ tx, now, concerns }: ChangeContext, messageId: number): Promise<Failure> {
  const row = await lockFailure(tx, messageId);
  if (row === undefined) throw new Refusal("notInScope", { text: "Forsendelsen findes ikke." });
  if (row.userId !== null) concerns({ userId: row.userId });
  if (row.handledAt !== null) throw taken(`${await whose(tx, row)}Forsendelsen er allerede håndteret.`);
  const isOpen =
    row.outcome === "failed" ||
    row.outcome === "unknown" ||
    (row.outcome === "awaiting" && hasBeenSilent(row.sentAt, now));
  if (!isOpen) throw taken(`${await whose(tx, row)}Forsendelsen er ikke længere blandt dem, der fejlede.`);
  return row;
}

/** Number and name before a refusal, since the row may be gone from the page; empty without a referral. */
async function whose(tx: ChangeContext["tx"], { referralId }: Failure): Promise<string> {
  const referral = await findMessageReferral(tx, referralId);
  return referral ? `Nr. ${referral.id}, ${fullName(referral)}: ` : "";
}

/**
 * Takes a failure off the list; undone by `reopenFailure`. Throws `conflict` once it is settled, or while an answer may
 * come.
 */
export const markFailureHandled = change({
  name: "markFailureHandled",
  permission: "patientMessage.send",
  input: message,
  async run(context, { messageId }) {
    const row = await openFailure(context, messageId);
    if (row.outcome === "awaiting") throw taken("Der kan endnu komme svar på forsendelsen.");
    await finish(context, row, null);
    const undo: Undo = { intent: "reopenFailure", fields: { messageId } };
    return answered(messageId, "Forsendelsen er markeret som håndteret.", undo);
  },
});

/** Reverts 'Markér som håndteret'. Throws `conflict` for a resent one. */
export const reopenFailure = change({
  name: "reopenFailure",
  permission: "patientMessage.send",
  input: message,
  async run(context, { messageId }) {
    const { tx, now, auditChange } = context;
    const row = await lockFailure(tx, messageId);
    if (row === undefined || row.handledAt === null || (await findResent(tx, [messageId])).length > 0)
      throw taken("Det kan ikke fortrydes: forsendelsen er sendt igen, eller en anden har fortrudt den.");
    await writeHandled(tx, messageId, null, now);
    if (row.referralId !== null) auditChange([row.referralId]);
    invalidate(context);
    return answered(messageId, "Forsendelsen venter igen på nogen.");
  },
});

/** 'Den er kommet frem': records that a message with unknown outcome arrived. */
export const settleAsArrived = change({
  name: "settleAsArrived",
  permission: "patientMessage.send",
  input: message,
  async run(context, { messageId }) {
    const row = await openFailure(context, messageId);
    if (row.outcome === "failed") throw taken("Forsendelsen er mislykkedes og er ikke kommet frem.");
    const { codes } = channels[row.channel as ChannelName];
    await settle(context, row, {
      outcome: "sent",
      code: codes.sent,
      detail: `meldt kommet frem af ${personName(context.person)}`,
    });
    await finish(context, row, "Den er kommet frem");
    return answered(messageId, "Forsendelsen er registreret som kommet frem.");
  },
});

/**
 * 'Send igen' and 'Send i stedet som …': resends a message by this or another channel, once each. Throws what the kind
 * refuses; `mayOverlap` confirms `stillAwaiting`.
 */
export const resendFailure = change({
  name: "resendFailure",
  permission: "patientMessage.send",
  idempotent: true,
  input: message.extend({
    channel: z.enum(channelNames),
    mayOverlap: z.literal("on").optional(),
  }),
  async run(context, { messageId, channel, mayOverlap }) {
    const row = await openFailure(context, messageId);
    await resend(context, row, channel, { mayOverlap: mayOverlap === "on" });
    return answered(messageId, `Sat i kø som ${channelLabels[channel]}.`);
  },
});

/** Queues a failed message again; an unknown outcome becomes failed. Throws `conflict` when it was resent before. */
async function resend(
  context: ChangeContext,
  row: Failure,
  channel: ChannelName,
  { mayOverlap = false } = {},
): Promise<void> {
  const { portal, person } = context;
  const again = portal.kindHooks[row.kind as Kind].resend;
  if (again === undefined) throw taken("Beskeden sendes igen fra det sted, den kom fra.");
  if (row.outcome !== "failed") {
    const { codes } = channels[row.channel as ChannelName];
    const detail = `meldt ikke kommet frem af ${personName(person)}`;
    await settle(context, row, { outcome: "failed", code: codes.failed, detail });
  }
  await unlessTaken(again(context, settledMessageOf(row), channel, { mayOverlap }), () => {
    throw taken("Beskeden er allerede sendt igen.");
  });
  await finish(context, row, channel === row.channel ? "Sendt igen" : `Sendt som ${channelLabels[channel]} i stedet`);
}

async function settle(
  { tx, portal, now }: ChangeContext,
  row: Failure,
  settlement: { outcome: "sent" | "failed"; code: number; detail: string },
): Promise<void> {
  await settleByPerson(tx, row.id, settlement, now);
  await followOutcome(tx, portal, settledMessageOf(row), settlement, now);
}

async function finish(context: ChangeContext, row: Failure, note: string | null): Promise<void> {
  const { tx, person, now, auditChange } = context;
  await writeHandled(tx, row.id, { personId: person.id, note }, now);
  auditChange(row.referralId === null ? [] : [row.referralId], `message ${row.id}`);
  invalidate(context);
}

function invalidate(context: ChangeContext): void {
  invalidateFailures(context);
  context.afterCommit(() => context.portal.cache.invalidate(COUNTS));
}

const answered = (messageId: number, text: string, undo?: Undo) =>
  succeeded(text, { formId: `failure-${messageId}`, ...(undo && { undo }) });

const fieldOf: Partial<Record<ChannelName, "patientMobilePhone" | "patientEmail">> = {
  sms: "patientMobilePhone",
  email: "patientEmail",
};

/** The patient's field that a message went to; null for messages to others, whose kinds have `resendWays`. */
export const correctableField = ({ kindHooks }: Portal, kind: Kind, channel: ChannelName) =>
  kindHooks[kind].resendWays === undefined ? (fieldOf[channel] ?? null) : null;

/** The patient's number or address, which a colleague may have corrected since the list was drawn. */
const correctionEdit: Edit = {
  async read({ db, portal }, field) {
    const row = await findOutboxMessage(db, rowIdIn(field("messageId")));
    const referral = await findMessageReferral(db, row?.referralId ?? null);
    const corrected = row && correctableField(portal, row.kind as Kind, row.channel as ChannelName);
    if (!referral || !corrected) return { values: {} };
    const value = corrected === "patientEmail" ? referral.email : referral.mobilePhone;
    return { values: { [corrected]: value }, version: referral.version };
  },
};

const input = z
  .object({
    messageId: wholeNumber.positive(),
    seenVersion: wholeNumber.optional(),
    patientMobilePhone: optionalMobilePhone,
    patientEmail: optionalEmail,
  })
  .superRefine(({ patientMobilePhone, patientEmail }, context) => {
    if (patientMobilePhone === null && patientEmail === null)
      for (const path of ["patientMobilePhone", "patientEmail"])
        context.addIssue({ code: "custom", path: [path], message: "Feltet skal udfyldes." });
  });

function contactInput(
  referralId: number,
  field: "patientMobilePhone" | "patientEmail",
  value: string,
): PatientContactInput {
  const empty = Object.fromEntries(contactFields.map((each) => [each, null])) as Record<
    (typeof contactFields)[number],
    null
  >;
  return { ...empty, referralId, [field]: value, unchanged: contactFields.filter((each) => each !== field) };
}

/**
 * 'Gem og send igen': corrects the number or address on the referral and resends the message, both or neither. Throws
 * `patientEmailTaken`, `conflict` and what the kind refuses.
 */
export const correctAndResend = external({
  name: "correctAndResend",
  permission: "patientMessage.send",
  edit: correctionEdit,
  input,
  async prepare(context, { messageId, seenVersion, patientMobilePhone, patientEmail }) {
    const row = await findOutboxMessage(context.db, messageId);
    const field =
      row === undefined ? null : correctableField(context.portal, row.kind as Kind, row.channel as ChannelName);
    if (row === undefined || row.referralId === null || field === null)
      throw new Refusal("notInScope", { text: "Forsendelsen findes ikke." });
    const value = field === "patientEmail" ? patientEmail : patientMobilePhone;
    if (value === null) throw new Refusal("invalid", { fields: { [field]: ["Feltet skal udfyldes."] } });
    const contact = { ...contactInput(row.referralId, field, value), seenVersion };
    await refuseTakenContact(context, contact);
    return contact;
  },
  async run(context, { messageId }, contact) {
    const row = await openFailure(context, messageId);
    if (row.outcome !== "failed")
      throw new Refusal("conflict", { text: "Forsendelsen kan være kommet frem: afgør det først." });
    await saveContact(context, contact);
    const channel = row.channel as ChannelName;
    await resend(context, row, channel);
    return answered(
      messageId,
      `Rettet på henvisning nr. ${contact.referralId}, og sat i kø som ${channelLabels[channel]}.`,
    );
  },
});
