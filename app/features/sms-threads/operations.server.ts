import { z } from "zod";
import type { DbOrTx } from "~db/connection.server";
import { changeSettings, readSettings, settingsEdit } from "~/features/settings/settings.server";
import { type AnswerRules, defaultCancellationWords, isAskedAbout } from "./classify-answer.server";
import { composed } from "~/text/normalise";
import {
  change,
  type ChangeContext,
  read,
  type ResultOf,
  ofReferral,
  succeeded,
  keyedForm,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { freeTextErrors } from "~/features/delivery/templates/text-errors";
import { contactOf, obstacleTo } from "~/features/patient-messages/queue-message.server";
import { recipientOf, obstacleTexts } from "~/features/patient-messages/ways";
import { findReferral, lockReferral } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { cachedStatusSettings } from "~/features/referrals/model/status-settings.server";
import { queueReminder } from "~/features/reminders/send-due-reminders.server";
import { openList } from "~/lists/define-list.server";
import { findRow } from "~/lists/rows.server";
import { requiredText, text as textOf } from "~/text/fields.server";
import { readThreadOf } from "./read-thread.server";
import { replyKinds, type AnswerCandidate } from "./answer-placement";
import { showSmsReferral, smsList } from "./sms-list.server";
import { findUnplaced, readAnswer, settleUnread, findReferralsWrittenTo } from "./sms-thread-store.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/statuses";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import type { Secrets } from "~/access/secrets.server";
import { toE164 } from "~/text/phone";
import { fullName } from "~/text/names";

const answerSettings = ["smsCancellationWords", "smsKeyword"] as const;

const wordsIn = (text: string) => [
  ...new Set(
    composed(text)
      .toLowerCase()
      .split(/[\s,;]+/)
      .filter((word) => word !== ""),
  ),
];

/** The default words where the clinic has saved none; the keyword may be empty. */
export async function readAnswerRules(db: DbOrTx): Promise<AnswerRules> {
  const { smsCancellationWords, smsKeyword } = await readSettings(db, answerSettings);
  const words = wordsIn(smsCancellationWords);
  return { cancellationWords: words.length > 0 ? words : defaultCancellationWords, keyword: smsKeyword.trim() };
}

/** A referral with its thread, for an open row and after sending. Throws `notInScope`. */
export const readSmsReferral = read({
  name: "readSmsVisit",
  permission: "patientMessage.send",
  input: ofReferral,
  async run({ db, portal, person, now, auditRead }, { referralId }) {
    const found = await findReferral(db, person, referralId);
    const thread = await readThreadOf(db, portal, found, now);
    auditRead([referralId]);
    const row = await findRow(db, openList(smsList, portal, person, {}, null), referralId);
    return {
      thread,
      referral: row === undefined ? null : showSmsReferral(portal, row),
      ...(await cachedStatusSettings(portal)),
    };
  },
});

export type SmsReferral = ResultOf<typeof readSmsReferral>;

const input = ofReferral;

/** 'Send SMS med afbud': a reminder that says how to cancel. Throws `invalid` with the reason, and `notInScope`. */
export const sendSmsWithCancellation = change({
  name: "sendSmsWithCancellation",
  permission: "patientMessage.send",
  idempotent: true,
  input,
  run: (context, { referralId }) => send(context, referralId, true),
});

/** As `sendSmsWithCancellation`, without saying how to cancel. */
export const sendSmsWithoutCancellation = change({
  name: "sendSmsWithoutCancellation",
  permission: "patientMessage.send",
  idempotent: true,
  input,
  run: (context, { referralId }) => send(context, referralId, false),
});

async function send(context: ChangeContext, referralId: number, withCancellation: boolean) {
  const row = await lockReferral(context.tx, context.actor, referralId);
  await queueReminder(context, row, { withCancellation });
  context.auditChange([row.id], `reminder by SMS ${withCancellation ? "with" : "without"} cancellation`);
  const formId = `${withCancellation ? "sendSmsWithCancellation" : "sendSmsWithoutCancellation"}-${row.id}`;
  return succeeded("SMS er sat i kø.", { formId });
}

const MAX_SHOWN = 20;

/** The oldest 20 replies without a referral, each with the referrals it may belong to. */
export const listUnplacedSms = read({
  name: "listUnplacedSms",
  permission: "patientMessage.send",
  async run({ db, portal, now, auditRead }) {
    const rows = await findUnplaced(db, MAX_SHOWN);
    const answers = await Promise.all(
      rows.map(async (row) => {
        const { from, text } = readAnswer(portal.secrets, row) ?? { from: "", text: "" };
        const candidates = await findCandidates(db, portal.secrets, from, now);
        return {
          id: row.id,
          at: row.receivedAt,
          from,
          text,
          mayBeCancelled: isAskedAbout(row.judgement),
          candidates: candidates.map((one) => ({
            referralId: one.referralId,
            name: one.name,
            operationMoment: one.operationMoment,
          })),
        };
      }),
    );
    auditRead(answers.flatMap(({ candidates }) => candidates.map(({ referralId }) => referralId)));
    return { answers };
  },
});

const WORD = /^\p{L}{3,30}$/u;
const MAX_WORDS = 20;

export const readAnswerSettings = read({
  name: "readAnswerSettings",
  permission: "settings.manage",
  run: async ({ db }) => ({
    settings: await readSettings(db, answerSettings),
    standardWords: defaultCancellationWords.join(", "),
  }),
});

/** Saves the words of a cancellation and the keyword; 'stop' and 'ikke' are refused as words. Throws `invalid`. */
export const saveAnswerSettings = change({
  name: "saveAnswerSettings",
  permission: "settings.manage",
  edit: settingsEdit(answerSettings, (db) => readSettings(db, answerSettings)),
  input: z.object({
    smsCancellationWords: textOf(500)
      .transform((typed) => wordsIn(typed))
      .refine(
        (words) => words.length <= MAX_WORDS && words.every((word) => WORD.test(word)),
        `Skriv højst ${MAX_WORDS} ord med mindst tre bogstaver, adskilt af komma.`,
      )
      .refine((words) => !words.includes("stop") && !words.includes("ikke"), "STOP og ikke kan ikke være afbudsord.")
      .transform((words) => words.join(", "))
      .default(""),
    smsKeyword: textOf(30)
      .refine((typed) => !/\s/.test(typed.trim()), "Skriv ét ord.")
      .default(""),
  }),
  async run(context, settings) {
    await changeSettings(context, settings);
    context.auditChange([], "how SMS from patients are read");
    return succeeded("Indstillingerne er gemt.", { formId: "saveAnswerSettings" });
  },
});

const MAX_LENGTH = 600;

const replyFormId = (referralId: number) => `replySms-${referralId}`;

/**
 * Sends an answer in the thread and marks it as read. Throws `invalid` with the reason if no SMS can be sent or the
 * text has a CPR number or health data, and `notInScope`.
 */
export const replySms = change({
  name: "replySms",
  permission: "patientMessage.send",
  idempotent: true,
  input: ofReferral.extend({
    ...keyedForm.shape,
    kind: z.enum(replyKinds).catch("smsReply"),
    text: requiredText("Skriv et svar.", MAX_LENGTH),
  }),
  async run(context, { referralId, kind, text }) {
    const { tx, actor, person, portal, outbox, now, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const refuse = (reason: string) => new Refusal("invalid", { text: reason, fields: { text: [reason] } });
    const patient = contactOf(portal, row);
    const obstacle = obstacleTo(portal, { kind, channel: "sms" }, row);
    if (obstacle !== null) throw refuse(`${obstacleTexts[obstacle]}.`);
    const errors = freeTextErrors(text, "sms");
    if (errors.length > 0) throw new Refusal("invalid", { text: errors[0]!, fields: { text: errors } });
    const recipient = recipientOf("sms", patient);
    if ("obstacle" in recipient) throw refuse(`${obstacleTexts[recipient.obstacle]}.`);
    const mark = patient.isTest && !text.startsWith("TEST: ") ? "TEST: " : "";
    await outbox.sms({ kind, to: recipient.to, referralId: row.id, requestedBy: person.id, text: mark + text });
    await settleUnread(tx, row.id, { by: person.id, now });
    await logEvent(context, row, "Svar i kø (SMS)");
    auditChange([row.id], "reply by SMS");
    return succeeded("Svaret er sat i kø.", { formId: replyFormId(row.id) });
  },
});

/** Referrals an answer from a number (E.164) may belong to, most recently written to first. */
export async function findCandidates(
  db: DbOrTx,
  secrets: Secrets,
  from: string,
  now: Date,
): Promise<(AnswerCandidate & { name: string })[]> {
  const rows = await findReferralsWrittenTo(db, secrets.lookups("phone", from), now);
  return rows.map((row) => {
    const moment = operationMoment(row);
    return {
      referralId: row.id,
      lastMessageId: Number(row.lastMessageId),
      // A day without an hour lasts until it ends.
      operationMoment: moment !== null && row.operationHour === null ? `${row.operationDate} 23:59` : moment,
      isOpen: row.status !== CLOSED && row.status !== DECLINED,
      hasNumber: row.mobilePhone !== null && toE164(row.mobilePhone) === from,
      person: row.cprHash ?? row.id,
      name: fullName(row),
    };
  });
}
