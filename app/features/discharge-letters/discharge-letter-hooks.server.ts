import { idsOf } from "~db/connection.server";
import { Refusal } from "~/access/refusal";
import { isChannelSet, channels } from "~/features/delivery/channels/index.server";
import { handleByPortal } from "~/features/delivery/failure-store.server";
import {
  type ChangedRecipient,
  type ClaimedMessage,
  type KindHooks,
  type NewOutcome,
  type NotNow,
  type SettledMessage,
  type Settling,
  withdrawn,
} from "~/features/delivery/port";
import { findLetterReceiver } from "~/features/directory/operations.server";
import { findMessageReferral } from "~/features/referrals/store/sent-items-store.server";
import { insertVisitLogEntry } from "~/features/referrals/store/visit-log-store.server";
import { COUNTS } from "~/lists/read-page.server";
import type { Portal } from "~/portal.server";
import { dischargeLetters } from "./discharge-letter-list.server";
import {
  findLetter,
  findLetterOfMessage,
  findSendings,
  findSentLetter,
  refreshSummary,
  type SentLetter,
  writeSendDate,
} from "./store.server";
import { judgeByEdi, readEdiLetter } from "./edi-letter.server";
import { DECLINED_TEXT, MAX_SENDINGS, NO_PDF_TEXT } from "./letter-text";
import { goesByEdi, letterError, queueLetter, sendAgain } from "./queue-letter.server";
import { lockReferralOf } from "~/features/patient-messages/patient-hooks.server";

const SYSTEM = { kind: "system", job: "outbox" } as const;

async function followEdi(
  context: Settling,
  letter: SentLetter,
  message: SettledMessage,
  { outcome, detail }: NewOutcome,
): Promise<void> {
  const { tx, outbox, now } = context;
  if (letter.ediOutboxId !== message.id) {
    // A newer message is under way or went by mail.
    if (outcome === "failed" || outcome === "unknown") await handleByPortal(tx, [message.id], "Sendt igen siden", now);
    return;
  }
  if (outcome === "failed" || outcome === "unknown") await sendByMailInstead(context, letter, message, detail);
  // The mail was only a substitute.
  if (outcome === "sent" && letter.outboxId !== null && !letter.sendEdiAsEmail)
    await outbox.withdrawMessage(letter.outboxId);
}

/**
 * Sends a letter by mail when EDI refused it, could not carry it, or got no receipt; part of the same sending. If no
 * mail can be sent either, it is a failure for a person.
 */
async function sendByMailInstead(
  context: Settling,
  letter: SentLetter,
  message: SettledMessage,
  detail: string | null,
): Promise<void> {
  const { tx, now } = context;
  const row = await findMessageReferral(tx, letter.referralId);
  if (row === undefined || letter.deletedAt !== null || letter.diagnosisFileId === null)
    return handleByPortal(tx, [message.id], "Brevet er slettet", now);
  if (row.declinesDischargeLetter) return handleByPortal(tx, [message.id], DECLINED_TEXT, now);
  const mail = (await findSendings(tx, letter)).find(({ id }) => id === letter.outboxId);
  if (mail?.outcome === "failed" || mail?.outcome === "unknown") return;
  const isMailed = mail !== undefined && mail.outcome !== "withdrawn";
  const receiver = isMailed ? null : await findLetterReceiver(tx, row.referrerId);
  if (!isMailed && (receiver === null || letterError(row, receiver) !== null)) return;
  await handleByPortal(tx, [message.id], "Brevet går som e-mail i stedet", now);
  if (receiver === null) return;
  await queueLetter(context, row, letter, { receiver, attempt: 1, requestedBy: null, only: "email" });
  const event = `Udskrivningsbrev ${letter.letterNumber} går som e-mail i stedet for EDI${detail === null ? "" : `: ${detail}`}`;
  await insertVisitLogEntry(tx, SYSTEM, { referralId: row.id, status: row.status, event: event.slice(0, 200) }, now);
}

const VIA_EDI = "Brevet er sendt via EDI";

export const dischargeLetterHooks: KindHooks = {
  recheck: recheckLetter,
  staleTopics: [`${COUNTS} ${dischargeLetters.name}`],
  readContent: async (portal, message) => (message.channel === "edi" ? readEdiLetter(portal, message) : undefined),
  async onSettled(context, message, settlement) {
    const { tx, now } = context;
    const letter = await findSentLetter(tx, message);
    if (letter === undefined) return;
    const sendings = await findSendings(tx, letter);
    const last = sendings.find(({ outcome }) => outcome === "sent");
    if (settlement.outcome === "sent" || settlement.wasSentAt !== undefined)
      await writeSendDate(tx, letter.id, last?.sentAt ?? null);
    await refreshSummary(tx, letter.referralId);
    if (settlement.outcome === "sent")
      await handleByPortal(
        tx,
        idsOf(
          sendings.filter(({ id, outcome }) => outcome !== "sent" && (id < message.id || message.channel === "edi")),
        ),
        message.channel === "edi" ? VIA_EDI : "En senere udsendelse er sendt",
        now,
      );
    if (message.channel === "edi") await followEdi(context, letter, message, settlement);
    else if (settlement.outcome === "failed" && letter.outboxId === message.id)
      await sendSecond(context, message, settlement);
  },
  async resendWays(portal, message) {
    const { db } = portal;
    const row = await findMessageReferral(db, message.referralId);
    const letter = await findSentLetter(db, message);
    if (!row || row.deletedAt !== null || !letter || letter.deletedAt !== null || letter.diagnosisFileId === null)
      return [];
    const receiver = await findLetterReceiver(db, row.referrerId);
    if (letterError(row, receiver) !== null) return [];
    const wanted = goesByEdi(portal, row, receiver!) ? "edi" : "email";
    return isChannelSet(portal, wanted) ? [message.channel] : [];
  },
  async resend(context, message) {
    const row = await lockReferralOf(context, message);
    const sent = await findSentLetter(context.tx, message);
    const letter = sent && (await findLetter(context.tx, row.id, sent.letterNumber));
    if (letter === undefined) throw new Refusal("conflict", { text: "Brevet er slettet." });
    await sendAgain(context, row, letter);
  },
};

async function recheckLetter(portal: Portal, message: ClaimedMessage): Promise<NotNow | ChangedRecipient | null> {
  const { db } = portal;
  const letter = await findLetterOfMessage(db, message.id);
  const row = await findMessageReferral(db, message.referralId);
  if (row === undefined || row.deletedAt !== null) return withdrawn("Henvisningen er slettet");
  if (letter === undefined) return withdrawn("Brevet er sendt igen siden");
  if (letter.deletedAt !== null) return withdrawn("Brevet er slettet");
  if (letter.diagnosisScanState === null) return withdrawn(NO_PDF_TEXT);
  if (letter.diagnosisScanState === "infected") return { outcome: "failed", detail: "Pdf-filen indeholder virus" };
  if (row.declinesDischargeLetter) return withdrawn(DECLINED_TEXT);
  const receiver = await findLetterReceiver(db, row.referrerId);
  if (receiver?.id !== message.userId) return { outcome: "failed", detail: "Henvisningen har fået en anden henviser" };
  const error = letterError(row, receiver);
  if (error !== null) return { outcome: "failed", detail: error };
  if (message.channel === "edi") return judgeByEdi(portal, message, row, receiver!);
  return receiver!.email === message.to ? null : { to: receiver!.email };
}

/**
 * Queues the second sending an hour after the first failed. Not if mail is unconfigured, after a bounce, or for a test
 * referral.
 */
async function sendSecond(context: Settling, message: SettledMessage, { code, wasSentAt }: NewOutcome): Promise<void> {
  const { tx, now } = context;
  const letter = await findLetterOfMessage(tx, message.id);
  if (letter === undefined || letter.deletedAt !== null || letter.diagnosisFileId === null) return;
  if (letter.attempts >= MAX_SENDINGS || wasSentAt !== undefined) return;
  if (code === channels[message.channel].codes.notConfigured) return;
  const byEdi = (await findSendings(tx, letter)).find(({ id }) => id === letter.ediOutboxId);
  if (byEdi?.outcome === "sent") return handleByPortal(tx, [message.id], VIA_EDI, now);
  const row = await findMessageReferral(tx, letter.referralId);
  if (row === undefined || row.isTest) return;
  const receiver = await findLetterReceiver(tx, row.referrerId);
  if (receiver === null || letterError(row, receiver) !== null) return;
  await queueLetter(context, row, letter, { receiver, attempt: 2, requestedBy: null, only: "email" });
}
