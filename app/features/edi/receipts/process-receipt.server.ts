import type { ChangeContext } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { followOutcome } from "~/features/delivery/follow-outcome.server";
import { settledMessageOf } from "~/features/delivery/kind-hooks";
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
 * What a receipt says of a letter of ours, in the transaction that writes the receipt down. A letter has arrived once both its parts have
 * been acknowledged by its receiver, and is refused as soon as one of them is. However often it arrives, it is processed once; a letter that has
 * come to its end stays as it is, and a receipt for nothing of ours is kept and no more.
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

/** Answers the referral whose letter it was about; null for none of ours. */
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
  // Anybody on the way may refuse a letter; that it arrived is its receiver's word alone.
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
