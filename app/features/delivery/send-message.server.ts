import { z } from "zod";
import { external, read } from "~/access/operation.server";
import type { EmailOutcome } from "~/gateways/email/port";
import { FAILED, QUEUED, SENT, UNKNOWN_TEXT } from "./delivery-status";
import { type ClaimedMessage, claimMessage, isAnyDue, markSending, recordAttempt, type Settlement, settleMessage } from "./outbox-store.server";

/** Minutes until the next attempt after the 1st, 2nd … one; past the last the message has failed. */
const RETRY_MINUTES = [1, 5, 15, 60, 240];

/** Whether there is anything to send now: an idle worker asks this, and leaves no row in the audit. */
export const readDue = read({
  name: "outbox.readDue",
  permission: "system",
  input: z.object({}),
  async run({ db, now }) {
    return { isDue: await isAnyDue(db, now) };
  },
});

/**
 * Sends one due message of the outbox. Answers `found.sent`: false when nothing was due.
 *
 * The order matters: claim, say that sending begins, call the gateway, record. A process that dies before the second step sends
 * again; one that dies after it never does so by itself, unless the gateway deduplicates.
 */
export const sendMessage = external({
  name: "outbox.send",
  permission: "system",
  input: z.object({ owner: z.string().min(1) }),
  async prepare({ db, portal }, { owner }): Promise<{ message: ClaimedMessage; outcome: EmailOutcome } | null> {
    const message = await claimMessage(db, portal.secrets, owner, portal.clock.now());
    if (message === null) return null;
    if (message.interrupted && !portal.email.deduplicates) {
      return { message, outcome: { outcome: "unknown", detail: "interrupted" } };
    }
    if (!(await markSending(db, message.id, owner, portal.clock.now()))) return null;
    const outcome = await portal.email.send({
      key: `outbox-${message.id}`,
      from: { name: portal.config.productName, address: portal.config.mailFrom },
      to: message.to,
      subject: message.subject,
      text: message.text,
      html: message.html,
    });
    return { message: { ...message, attempts: message.attempts + 1 }, outcome };
  },
  async run({ tx, portal }, { owner }, prepared) {
    if (prepared === null) return { found: { sent: false } };
    const { message, outcome } = prepared;
    const now = portal.clock.now();
    await recordAttempt(tx, message.id, outcome.outcome, outcome.detail, now);
    await settleMessage(tx, message.id, owner, settlementOf(outcome, message.attempts, now), now);
    return { found: { sent: true } };
  },
});

function settlementOf(outcome: EmailOutcome, attempts: number, now: Date): Settlement {
  if (outcome.outcome === "sent") return { status: SENT };
  if (outcome.outcome === "unknown") return { status: FAILED, text: UNKNOWN_TEXT };
  const minutes = RETRY_MINUTES[attempts - 1];
  if (outcome.outcome === "refused" || minutes === undefined) return { status: FAILED, text: outcome.detail || "Afvist" };
  return { status: QUEUED, text: outcome.detail, notBefore: new Date(now.getTime() + minutes * 60_000) };
}
