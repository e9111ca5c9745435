import { type DbOrTx, type Tx, idsOf } from "~db/connection.server";
import { recipientOf } from "~/features/delivery/read-messages.server";
import {
  findEvents,
  lockOutboxMessage,
  markHandedOver,
  recordEvent,
  settleByReceipt,
} from "~/features/delivery/receipt-store.server";
import { letterNumberOf, type LetterPartName, letterPartNames, readLetterNumber } from "../letters/letter-numbers";
import type { ChangeContext } from "~/access/operation.server";
import { channels } from "~/features/delivery/channels/index.server";
import { followOutcome } from "~/features/delivery/settle-messages.server";
import { settledMessageOf } from "~/features/delivery/port";
import { type Envelope, isReceipt, type ReceiptLetter, type RefuseCode, type Syntax } from "../reading/letter";
import { setReceipt, settleEdiMessage } from "../store/edi-store.server";
import type { WrittenLetter } from "../reading/edi-job";
import { emessage, tag, value } from "../xml-writer";
import { localDate, localTime } from "~/text/dates";

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
  const receivedAt = await findEvents(db, "edi", idsOf(possible));
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
  if (row?.kind !== "dischargeLetter" || letterNumberOf(part, { id: row.id, rowKey: row.rowKey ?? "" }) !== number)
    return null;
  // Any system on the way may refuse a letter, but only its receiver can confirm it.
  if (isPositive && sender.ean !== (await recipientOf(tx, portal.secrets, row.id))) {
    portal.log.warn({ outboxId }, "a receipt of another than the letter's receiver");
    return row.referralId;
  }
  const event = {
    channel: "edi",
    eventId: receiptEvent(part, outboxId, isPositive),
    kind: "receipt",
    outboxId,
  } as const;
  if (!(await recordEvent(tx, portal.secrets, event, now))) return row.referralId;
  if (row.referralId !== null) auditChange([row.referralId], `EDI receipt: ${isPositive ? "received" : "refused"}`);
  const { codes } = channels.edi;
  const message = settledMessageOf(row);
  const isWhole = isPositive && (await areAllReceived(context, outboxId));
  if (isPositive && !isWhole) {
    const handedOver = { outcome: "awaiting", code: codes.awaiting, detail: null } as const;
    if (await markHandedOver(tx, row.id, codes.awaiting, now))
      await followOutcome(tx, portal, message, handedOver, now);
    return row.referralId;
  }
  const outcome = isPositive ? "sent" : "failed";
  const settlement = {
    outcome,
    code: codes[outcome],
    // While a letter is awaited its detail is the notice of its sending.
    detail: isPositive ? (row.outcome === "awaiting" ? row.detail : null) : refusalText(part, refuseCode),
  } as const;
  if (await settleByReceipt(tx, row.id, settlement, now)) await followOutcome(tx, portal, message, settlement, now);
  else portal.log.info({ outboxId, outcome: row.outcome }, "a receipt of a letter that has come to its end");
  return row.referralId;
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

export interface Receipt {
  syntax: Syntax;
  envelopeId: string;
  letterId: string;
  sentAt: Date;
  ourEan: string;
  theirEan: string;
  /** The message answered; with `letterId` or `version` null the receipt concerns the whole envelope. */
  original: { envelopeId: string; letterId: string | null; version: string | null; messageType: "MEDREF" | "MEDDIS" };
  refusal: { code: RefuseCode; text: string } | null;
}

/** CTL03 for received, CTL02 for refused, in the letter's syntax. */
export const composeReceipt = (receipt: Receipt): string =>
  receipt.syntax === "xml" ? inXml(receipt) : inEdifact(receipt);

function inXml({ envelopeId, letterId, sentAt, ourEan, theirEan, original, refusal }: Receipt): string {
  const why = refusal === null ? "" : value("RefuseCode", refusal.code) + value("RefuseText", refusal.text);
  const ean = (name: string, number: string) => tag(name, value("EANIdentifier", number));
  const names = original.letterId !== null && original.version !== null;
  const letter = names
    ? tag(
        "OriginalLetter",
        value("OriginalLetterIdentifier", original.letterId!) + value("OriginalVersionCode", original.version!) + why,
      )
    : "";
  const body =
    tag(
      "Letter",
      value("Identifier", letterId) +
        value("VersionCode", refusal ? "XC0230Q" : "XC0330Q") +
        value("StatisticalCode", refusal ? "XCTL02" : "XCTL03"),
    ) +
    ean("Sender", ourEan) +
    ean("Receiver", theirEan) +
    tag(
      "OriginalEmessage",
      value("OriginalEnvelopeIdentifier", original.envelopeId) +
        ean("OriginalSender", theirEan) +
        ean("OriginalReceiver", ourEan) +
        (names ? letter : why),
    );
  return emessage(
    { schema: 2005, identifier: envelopeId, sentAt, wantsReceipt: false },
    tag(refusal ? "NegativeReceipt" : "PositiveReceipt", body),
  );
}

/** `?` escapes separators. */
const released = (text: string) => text.replace(/[?:+']/g, (character) => `?${character}`);

const LINE = 70;
const COMPONENTS = 5;

/** FTX segments of at most five components of 70 characters; a trailing backslash continues one. */
function textSegments(text: string): string[] {
  const pieces: string[] = [];
  for (let rest = text.replace(/\\/g, "/").replace(/\s+/g, " "); rest !== "";) {
    const isLast = rest.length <= LINE;
    pieces.push(isLast ? rest : `${rest.slice(0, LINE - 1)}\\`);
    rest = isLast ? "" : rest.slice(LINE - 1);
  }
  const segments: string[] = [];
  for (let at = 0; at < pieces.length; at += COMPONENTS)
    segments.push(
      `FTX+VER+P00++${pieces
        .slice(at, at + COMPONENTS)
        .map(released)
        .join(":")}`,
    );
  return segments;
}

function inEdifact({ envelopeId, letterId, sentAt, ourEan, theirEan, original, refusal }: Receipt): string {
  const result = refusal ? "4" : "7";
  const at = `${localDate(sentAt).slice(2).replace(/-/g, "")}:${localTime(sentAt).replace(":", "")}`;
  const message = [
    `UNH+${released(letterId)}+CONTRL:D:93A:ZZ:${refusal ? "C0230Q+CTL02" : "C0330Q+CTL03"}`,
    `UCI+${released(original.envelopeId)}+${released(theirEan)}:14+${released(ourEan)}:14+${result}`,
    ...(original.letterId !== null && original.version !== null
      ? [`UCM+${released(original.letterId)}+${original.messageType}:D:93A:UN:${released(original.version)}+${result}`]
      : []),
    ...(refusal ? textSegments(refusal.text) : []),
  ];
  const segments = [
    `UNB+UNOC:3+${released(ourEan)}:14+${released(theirEan)}:14+${at}+${released(envelopeId)}`,
    ...message,
    `UNT+${message.length + 1}+${released(letterId)}`,
    `UNZ+1+${released(envelopeId)}`,
  ];
  return `UNA:+.? '\n${segments.map((segment) => `${segment}'`).join("\n")}\n`;
}
