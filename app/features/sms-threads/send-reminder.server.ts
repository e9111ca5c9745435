import { z } from "zod";
import { type ChangeContext, change } from "~/access/operation.server";
import { lockReferral } from "~/features/referrals/details/messaged-referral.server";
import { queueReminder } from "~/features/reminders/queue-reminder.server";

const input = z.object({ referralId: z.coerce.number().int() });

/** 'Send SMS med afbud': a reminder that says how to cancel. Throws `invalid` with the reason, and `notInScope`. */
export const sendSmsWithCancellation = change({
  name: "sendSmsWithCancellation",
  permission: "patientMessage.send",
  idempotent: true,
  input,
  run: (context, { referralId }) => send(context, referralId, true),
});

/** 'Send SMS uden afbud': the same without it. */
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
  return { flash: { tone: "success" as const, formId, text: "SMS er sat i kø." } };
}
