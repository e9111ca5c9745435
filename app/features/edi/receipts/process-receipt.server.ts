import type { DbOrTx, Tx } from "~db/connection.server";
import { recipientOf } from "~/features/delivery/read-messages.server";
import {
  findEvents,
  lockOutboxMessage,
  markHandedOver,
  recordEvent,
  settleByReceipt,
} from "~/features/delivery/receipt-store.server";
import {
  letterNumberOf,
  type LetterPartName,
  letterPartNames,
  readLetterNumber,
} from "~/features/edi/letters/letter-numbers";
import type { ChangeContext } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { followOutcome } from "~/features/delivery/settle-messages.server";
import { settledMessageOf } from "~/features/delivery/port";
import { type Envelope, isReceipt, type ReceiptLetter } from "~/features/edi/reading/letter";
import { setReceipt, settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import type { WrittenLetter } from "~/features/edi/reading/edi-job";
import { composeReceipt, type Receipt } from "./compose-receipt";

const receiptEvent = (part: LetterPartName, outboxId: number, isPositive: boolean) =>
  `${part}-${outboxId}-${isPositive ? "yes" : "no"}`;

const refusals: Readonly<Record<string, string>> = {
  ukendt_lokationsnummer: "Modtageren kender ikke lokationsnummeret",
  problem_med_modtagerID: "Modtageren kender ikke modtagerens nummer",
  problem_med_version: "Modtageren kan ikke læse brevets version",
  syntaksfejl: "Modtageren kan ikke læse brevet",
};

/** Danish reason for a refused letter. The receiver's own words are not shown, since they may name the patient. */
const refusalText = (part: LetterPartName, code: string | null) =>
  `${(code !== null && refusals[code]) || "Modtageren har afvist brevet"}${part === "attachment" ? " (PDF-filen)" : ""}`;

export interface LetterReceipt {
  part: LetterPartName;
  isPositive: boolean;
  at: string;
}

export async function findLetterReceipts(
  db: DbOrTx,
  outboxIds: readonly number[],
): Promise<ReadonlyMap<number, LetterReceipt[]>> {
  const possible = outboxIds.flatMap((outboxId) =>
    letterPartNames.flatMap((part) =>
      [true, false].map((isPositive) => ({ outboxId, part, isPositive, id: receiptEvent(part, outboxId, isPositive) })),
    ),
  );
  const receivedAt = await findEvents(
    db,
    "edi",
    possible.map(({ id }) => id),
  );
  const receipts = new Map<number, LetterReceipt[]>(outboxIds.map((id) => [id, []]));
  for (const { outboxId, id, part, isPositive } of possible) {
    const at = receivedAt.get(id);
    if (at !== undefined) receipts.get(outboxId)!.push({ part, isPositive, at });
  }
  return receipts;
}

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

interface Answered {
  tx: Tx;
  outbox: ChangeContext["outbox"];
  now: Date;
}

/**
 * Queues a receipt in the transaction that records the letter: always when refused, otherwise on request. Receipts are
 * not answered, nor letters without location or message number.
 */
export async function queueReceipt(
  { tx, outbox, now }: Answered,
  messageId: number,
  envelope: Pick<Envelope, "syntax" | "identifier" | "wantsReceipt" | "receiverEan">,
  letter: WrittenLetter,
  ourEan: string | null,
): Promise<void> {
  const theirEan = letter.sender?.ean ?? null;
  const from = letter.receiver?.ean ?? envelope.receiverEan ?? ourEan;
  const isRefused = letter.kind === "refused";
  if (theirEan === null || from === null || isReceipt(letter.type ?? "")) return;
  if (!isRefused && !envelope.wantsReceipt) return;
  const receipt: Receipt = {
    syntax: envelope.syntax,
    envelopeId: `KV${messageId}`,
    letterId: `KB${messageId}`,
    sentAt: now,
    ourEan: from,
    theirEan,
    original: {
      envelopeId: envelope.identifier,
      letterId: letter.identifier,
      version: letter.version,
      messageType: letter.type?.startsWith("DIS") ? "MEDDIS" : "MEDREF",
    },
    refusal: isRefused ? { code: letter.refuseCode, text: letter.text } : null,
  };
  const outboxId = await outbox.edi({
    kind: "ediReceipt",
    to: theirEan,
    syntax: envelope.syntax,
    text: composeReceipt(receipt),
  });
  await setReceipt(tx, messageId, outboxId);
}
