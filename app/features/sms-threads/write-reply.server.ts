import { z } from "zod";
import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { freeTextErrors } from "~/features/delivery/templates/text-errors";
import { contactOf } from "~/features/patient-messages/compose.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { recipientOf } from "~/features/patient-messages/recipient";
import { obstacleTexts } from "~/features/patient-messages/ways";
import { lockReferral, insertVisitLogEntry } from "~/features/referrals/details/messaged-referral.server";
import { requiredText } from "~/text/fields.server";
import { replyKinds } from "./reply-kinds";
import { settleUnread } from "./sms-thread-store.server";

/** A few SMS parts. */
const MAX_LENGTH = 600;

export const replyFormId = (referralId: number) => `replySms-${referralId}`;

/**
 * Sends an answer in the thread and marks it as read. Throws `invalid` with the reason if no SMS can be sent or the
 * text has a CPR number or health data, and `notInScope`.
 */
export const replySms = change({
  name: "replySms",
  permission: "patientMessage.send",
  idempotent: true,
  input: z.object({
    referralId: z.coerce.number().int(),
    formKey: z.string().max(64),
    kind: z.enum(replyKinds).catch("smsReply"),
    text: requiredText("Skriv et svar.", MAX_LENGTH),
  }),
  async run({ tx, actor, person, portal, outbox, now, auditChange }, { referralId, kind, text }) {
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
    await insertVisitLogEntry(tx, actor, { referralId: row.id, status: row.status, event: "Svar i kø (SMS)" }, now);
    auditChange([row.id], "reply by SMS");
    return { flash: { tone: "success" as const, formId: replyFormId(row.id), text: "Svaret er sat i kø." } };
  },
});
