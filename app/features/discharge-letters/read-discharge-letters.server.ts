import { z } from "zod";
import type { Actor, Person } from "~/access/actor";
import { read, wholeNumber } from "~/access/operation.server";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { findReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { findStoredFiles } from "~/files/stored-file-store.server";
import { zipOf } from "~/streams/zip.server";
import {
  findLetter,
  findLetterImages,
  findLetters,
  type LetterImage,
  type LetterRow,
  nextLetterNumber,
  noSuchLetter,
} from "./store.server";
import { NO_PDF_TEXT } from "./letter-text";
import { letterFiles, oneLetter } from "./open-letter.server";
import { type DbOrTx, idsOf } from "~db/connection.server";
import { channels } from "~/features/delivery/channels/index.server";
import { findLetterReceipts, type LetterReceipt } from "~/features/edi/receipts/process-receipt.server";
import { isEdiSet } from "~/gateways/edi/port";
import { letterKey, newestLetterMessages } from "~/features/patient-links/operations.server";
import { obstacleTo } from "~/features/patient-messages/queue-message.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findLetterReceiver } from "~/features/directory/operations.server";
import type { Portal } from "~/portal.server";
import { joinedName } from "~/text/names";
import { letterError } from "./queue-letter.server";

const inputSchema = oneLetter.extend({
  /** The letter, a ZIP of letter and images, or the images (a single one unzipped). */
  kind: z.enum(["pdf", "zip", "images"]).catch("pdf"),
  /** User whom the link was mailed to, for the audit only; opening needs the referral in scope. */
  mailedTo: wholeNumber.positive().nullish().catch(null),
});

const areLettersHidden = (actor: Actor, row: { declinesDischargeLetter: boolean }) =>
  row.declinesDischargeLetter && !can(actor, "dischargeLetter.manage");

/**
 * Downloads a letter, its ZIP, or its images. A mailed link's recipient is audited. Throws `notInScope` and
 * `fileMissing`.
 */
export const downloadLetter = read({
  name: "downloadLetter",
  permission: "referral.read",
  input: inputSchema,
  async run({ db, actor, portal, auditRead }, { referralId, letterNumber, kind, mailedTo }) {
    const row = await findReferral(db, actor, referralId);
    const letter = areLettersHidden(actor, row) ? undefined : await findLetter(db, row.id, letterNumber);
    if (!letter) throw noSuchLetter();
    const pdf =
      kind === "images" || letter.diagnosisFileId === null ? [] : await findStoredFiles(db, [letter.diagnosisFileId]);
    const images = kind === "pdf" ? [] : await findLetterImages(db, [letter.id]);
    auditRead([referralId], mailedTo ? `mailed to user ${mailedTo}` : undefined);
    const files = [...pdf, ...images].filter(({ scanState }) => scanState !== "infected");
    const [first] = files;
    if (first === undefined)
      throw new Refusal("fileMissing", { text: kind === "images" ? "Røntgenfilen mangler" : NO_PDF_TEXT });
    if (kind !== "zip" && files.length === 1)
      return {
        fileName: first.fileName,
        mime: first.mime,
        sizeBytes: first.sizeBytes,
        disposition: "attachment" as const,
        open: () => portal.files.openRead(first.storageKey),
      };
    return {
      fileName: `Udskrivningsbrev_${referralId}_${letterNumber}.zip`,
      mime: "application/zip",
      disposition: "attachment" as const,
      open: () =>
        zipOf(
          files.map(({ fileName, storageKey }) => ({ fileName, open: async () => portal.files.openRead(storageKey) })),
        ),
    };
  },
});

/** Letters by referral, newest first. Outcomes are included only for those who send letters. */
export async function lettersByReferral(db: DbOrTx, person: Person, referralIds: readonly number[]) {
  const manages = can(person, "dischargeLetter.manage");
  const letters = await findLetters(db, referralIds);
  const images = await findLetterImages(db, idsOf(letters));
  const receipts = await findLetterReceipts(db, manages ? letters.flatMap(({ ediOutboxId: id }) => id ?? []) : []);
  const messages = await newestLetterMessages(db, manages ? referralIds : []);
  return new Map(
    referralIds.map((referralId) => [
      referralId,
      letters
        .filter((letter) => letter.referralId === referralId)
        .map((letter) =>
          showLetter(
            letter,
            images.filter(({ letterId }) => letterId === letter.id),
            messages.get(letterKey(letter.referralId, letter.letterNumber)),
            manages ? { receipts: receipts.get(letter.ediOutboxId ?? 0) ?? [] } : null,
          ),
        ),
    ]),
  );
}

export type ShownLetter = ReturnType<typeof showLetter>;

type LetterMessage = Awaited<ReturnType<typeof newestLetterMessages>> extends Map<string, infer M> ? M : never;

function showLetter(
  letter: LetterRow,
  images: LetterImage[],
  message: LetterMessage | undefined,
  staffs: { receipts: LetterReceipt[] } | null,
) {
  const manages = staffs !== null;
  const { sendingOutcome: outcome } = letter;
  const wasNeverQueued = outcome === null && letter.ediOutcome === null && letter.attempts === 0;
  return {
    number: letter.letterNumber,
    sentAt: letter.sendDate,
    letterFile: letter.diagnosisFileName,
    letterCreatedAt: letter.diagnosisCreatedAt,
    imageFiles: images.map(({ fileName }) => fileName),
    files: letterFiles(letter, images),
    /** 0 queued, 1 sent, 2 failed; null if never queued. */
    status: wasNeverQueued || !manages ? null : letter.status,
    error: manages ? letter.errorMessage : null,
    attempts: letter.attempts,
    nextAt:
      outcome === "queued" && (letter.attempts > 1 || letter.sendingDetail !== null) ? letter.sendingNotBefore : null,
    canWithdraw:
      (outcome === "queued" && letter.sendingAttempts === 0 && letter.sendingSince === null) ||
      (letter.ediOutcome === "queued" && letter.ediAttempts === 0 && letter.ediSendingSince === null),
    recipient: letter.recipientEmail,
    surgeon: letter.surgeonEmail,
    modifiedAt: letter.modifiedAt ?? letter.createdAt,
    modifierName: joinedName(letter.modifierFirstName, letter.modifierLastName),
    isEdi: letter.isEdi,
    sendsEdiAsEmail: letter.sendEdiAsEmail,
    edi:
      staffs === null || letter.ediOutcome === null
        ? null
        : {
            outcome: letter.ediOutcome,
            detail: letter.ediDetail,
            sentAt: letter.ediSentAt,
            mail: outcome,
            receipts: staffs.receipts,
          },
    patientMessage: message
      ? {
          type: message.messageType,
          outcome: message.outcome,
          at: message.settledAt ?? message.createdAt,
        }
      : null,
  };
}

/** Data of a referral's open letters; parts for staff are null for others. */
export async function readOpenLetters(db: DbOrTx, portal: Portal, person: Person, row: ReferralRow) {
  const manages = can(person, "dischargeLetter.manage");
  const hidden = areLettersHidden(person, row);
  const letters = hidden ? [] : ((await lettersByReferral(db, person, [row.id])).get(row.id) ?? []);
  return {
    referralId: row.id,
    letters,
    isDeclined: row.declinesDischargeLetter,
    manage: manages
      ? {
          nextNumber: await nextLetterNumber(db, row.id),
          error: letterError(row, await findLetterReceiver(db, row.referrerId)),
          linkWays: linkWays.map(({ value, channel }) => ({
            type: value,
            obstacle: obstacleTo(portal, { kind: "letterFilesLink", channel }, row),
          })),
          isEdiSet: isEdiSet(portal.config),
          receiptHours: channels.edi.awaitHours(portal),
        }
      : null,
  };
}

export type OpenLetters = Awaited<ReturnType<typeof readOpenLetters>>;
