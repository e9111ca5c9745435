import type { DbOrTx } from "~db/connection.server";
import type { ScopedReferralId } from "~/access/scope.server";
import type { SmsContent } from "~/features/delivery/port";
import { answerTo } from "~/features/appointment-answers/open-appointment.server";
import { failureText } from "~/features/delivery/failure-texts";
import { type Kind, messageKinds } from "~/features/delivery/message-kinds";
import { readMessageOf } from "~/features/delivery/read-messages.server";
import { hideSecrets } from "~/features/logs/log-types";
import { REMOVED_TEXT } from "~/features/maintenance/retention";
import { type Composer, composerOf } from "~/features/patient-messages/queue-message.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import type { ReferralRow } from "~/features/referrals/store/referral-store.server";
import { reminderChannel } from "~/features/reminders/reminder-settings.server";
import { reminderObstacle } from "~/features/reminders/send-due-reminders.server";
import { findStop } from "~/features/sms-stops/sms-stop-store.server";
import type { Portal } from "~/portal.server";
import { toE164 } from "~/text/phone";
import { replyKinds, replyTitles } from "./answer-placement";
import { type AnswerState, findThreads, readAnswer } from "./sms-thread-store.server";

const THREADS_AT_A_TIME = 25;

/** Messages by referral; a referral without any is absent. */
export async function readThreads(
  db: DbOrTx,
  portal: Pick<Portal, "secrets">,
  referralIds: readonly ScopedReferralId[],
) {
  const threads = new Map<number, Message[]>();
  for (let from = 0; from < referralIds.length; from += THREADS_AT_A_TIME)
    for (const [id, thread] of await findThreads(db, referralIds.slice(from, from + THREADS_AT_A_TIME)))
      threads.set(id, messagesOf(portal, thread));
  return threads;
}

type Thread = Awaited<ReturnType<typeof findThreads>> extends Map<unknown, infer T> ? T : never;
type Message = ReturnType<typeof messagesOf>[number];

function messagesOf({ secrets }: Pick<Portal, "secrets">, { outgoing, incoming }: Thread) {
  const sent = outgoing.map((message) => ({
    key: `out-${message.id}`,
    isIncoming: false as const,
    at: message.sentAt ?? message.createdAt,
    kind: messageKinds[message.kind as Kind].label,
    status: message.code,
    error: message.code === 2 ? failureText({ channel: "sms", ...message }) : null,
    text:
      message.hasText === 0
        ? REMOVED_TEXT
        : hideSecrets(readMessageOf<SmsContent>(secrets, message).content?.text ?? ""),
  }));
  const received = incoming.map((message) => {
    const content = readAnswer(secrets, message);
    return {
      key: `in-${message.id}`,
      isIncoming: true as const,
      id: message.id,
      at: message.receivedAt,
      from: content?.from ?? "",
      text: message.hasText === 0 ? REMOVED_TEXT : (content?.text ?? ""),
      isCancellation: message.cancellationDetected,
      state: message.state as AnswerState,
    };
  });
  return [...received, ...sent].sort((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** A referral's thread with everything needed to answer. An obstacle is null where an SMS can be sent. */
export async function readThreadOf(db: DbOrTx, portal: Portal, row: ReferralRow, now: Date, composer?: Composer) {
  const compose = composer ?? (await composerOf(db, portal, replyKinds));
  const number = row.mobilePhone === null ? null : toE164(row.mobilePhone);
  const stopped = number === null ? null : await findStop(db, portal.secrets, number);
  const texts = await Promise.all(replyKinds.map((kind) => compose(row, kind, ["sms"])));
  return {
    referralId: row.id,
    messages: (await readThreads(db, portal, [row.id])).get(row.id) ?? [],
    isCancelled: row.cancellationDate !== null,
    cancellationWord: row.cancellationDate === null ? null : ((await answerTo(db, portal, row))?.word ?? null),
    reminderObstacle:
      reminderObstacle(row, now) ??
      obstacleTo(portal, { kind: "appointmentReminder", channel: reminderChannel.name }, row),
    replyObstacle: obstacleTo(portal, { kind: "smsReply", channel: "sms" }, row),
    stoppedSince: stopped === null ? null : stopped.toISOString(),
    templates: replyKinds.flatMap((kind, index) => {
      const [message] = texts[index]!;
      return message === undefined || message.missing.length > 0
        ? []
        : [{ kind, title: replyTitles[kind], text: message.body }];
    }),
  };
}

export type OpenThread = Awaited<ReturnType<typeof readThreadOf>>;
