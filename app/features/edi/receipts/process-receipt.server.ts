import type { ChangeContext } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { followOutcome } from "~/features/delivery/follow-outcome.server";
import { settledMessageOf } from "~/features/delivery/port";
import {
  findEvents,
  lockOutboxMessage,
  markHandedOver,
  recipientOf,
  recordEvent,
  settleByReceipt,
} from "~/features/delivery/receipts.server";
import {
  type LetterPartName,
  letterNumberOf,
  letterPartNames,
  readLetterNumber,
} from "~/features/edi/letters/letter-numbers";
import type { ReceiptLetter } from "~/features/edi/reading/letter";
import { settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import { receiptEvent, refusalText } from "./letter-receipts.server";

/**
 * Applies a receipt to a sent letter in the transaction that records it. A letter has arrived when its receiver has
 * acknowledged both parts, and is refused when either is. Repeated receipts have no effect; settled letters stay
 * unchanged; receipts for unknown letters are only kept.
 */
export async function processReceipt(context: ChangeContext, messageId: number, receipt: ReceiptLetter): Promise<void> {
  const { originals, originalEnvelope } = receipt;
  const about = originals.length > 0 ? originals : [{ ...receipt, identifier: originalEnvelope }];
  for (const { identifier, refuseCode } of about) {
    const referralId = await takeOne(context, receipt, identifier, refuseCode);
    if (referralId !== null)
      await settleEdiMessage(context.tx, messageId, { state: "receipt", referralId }, context.now);
  }
}

/** Returns the letter's referral; null if unknown. */
async function takeOne(
  context: ChangeContext,
  { isPositive, sender }: ReceiptLetter,
  number: string,
  refuseCode: string | null,
): Promise<number | null> {
  const { tx, portal, now, auditChange } = context;
  const named = readLetterNumber(number);
  if (named === null) return null;
  const { part, outboxId } = named;
  const row = await lockOutboxMessage(tx, "edi", outboxId);
  if (row?.kind !== "dischargeLetter" || letterNumberOf(part, { id: row.id, rowKey: row.row_key ?? "" }) !== number)
    return null;
  // Any system on the way may refuse a letter, but only its receiver can confirm it.
  if (isPositive && sender.ean !== (await recipientOf(tx, portal.secrets, row.id))) {
    portal.log.warn({ outboxId }, "a receipt of another than the letter's receiver");
    return row.referral_id;
  }
  const event = {
    channel: "edi",
    eventId: receiptEvent(part, outboxId, isPositive),
    kind: "receipt",
    outboxId,
  } as const;
  if (!(await recordEvent(tx, portal.secrets, event, now))) return row.referral_id;
  if (row.referral_id !== null) auditChange([row.referral_id], `EDI receipt: ${isPositive ? "received" : "refused"}`);
  const { codes } = channels.edi;
  const message = settledMessageOf(row);
  const isWhole = isPositive && (await areAllReceived(context, outboxId));
  if (isPositive && !isWhole) {
    const handedOver = { outcome: "awaiting", code: codes.awaiting, detail: null } as const;
    if (await markHandedOver(tx, row.id, codes.awaiting, now))
      await followOutcome(tx, portal, message, handedOver, now);
    return row.referral_id;
  }
  const outcome = isPositive ? "sent" : "failed";
  const settlement = {
    outcome,
    code: codes[outcome],
    detail: isPositive ? null : refusalText(part, refuseCode),
  } as const;
  if (await settleByReceipt(tx, row.id, settlement, now)) await followOutcome(tx, portal, message, settlement, now);
  else portal.log.info({ outboxId, outcome: row.outcome }, "a receipt of a letter that has come to its end");
  return row.referral_id;
}

async function areAllReceived({ tx }: ChangeContext, outboxId: number): Promise<boolean> {
  const wanted = letterPartNames.map((part: LetterPartName) => receiptEvent(part, outboxId, true));
  return (await findEvents(tx, "edi", wanted)).size === wanted.length;
}
