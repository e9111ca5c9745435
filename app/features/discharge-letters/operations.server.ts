import { subDays } from "date-fns";
import { z } from "zod";
import { change, type ChangeContext, read, wholeNumber, pageAddress } from "~/access/operation.server";
import { rowIdIn } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { safeReturn } from "~/features/accounts/return-path";
import { leftOutText, queuePatientLink } from "~/features/patient-links/queue-patient-link.server";
import { linkWays } from "~/features/patient-messages/ways";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { toMoment } from "~/text/dates";
import { letterChanged, oneLetter, openLetter, letterFiles, seesLetter } from "./open-letter.server";
import { letterError, lettersAt, logQueued, queueLetter, withdrawWaiting } from "./queue-letter.server";
import {
  cancelPurge,
  findDeletedLetter,
  findLetter,
  findLetterImages,
  type LetterRow,
  purgeLater,
  refreshSummary,
  updateLetter,
  writeDeclined,
  noSuchLetter,
} from "./store.server";
import { revokePatientLinks } from "~/access/patient-links.server";
import { fullName } from "~/text/names";
import { findLetterReceiver } from "~/features/directory/operations.server";
import { DECLINED_TEXT } from "./letter-text";
import { wayField } from "~/features/patient-messages/queue-message.server";

/**
 * 'Fortryd': restores a deleted letter while its files exist. Withdrawn mail and links stay withdrawn. Repeating it has
 * no effect. Throws `fileMissing` once purged, and `notInScope`.
 */
export const restoreLetter = change({
  name: "restoreLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter.extend({ to: pageAddress }),
  async run(context, { referralId, letterNumber, to }) {
    const { tx, actor, person, portal, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    const deleted = await findDeletedLetter(tx, row.id, letterNumber);
    if (deleted !== undefined) {
      if (deleted.deletedAt! <= toMoment(subDays(now, portal.config.filePurgeDays))) throw new Refusal("fileMissing");
      const images = await findLetterImages(tx, [deleted.id]);
      await cancelPurge(tx, [...[deleted.diagnosisFileId ?? []].flat(), ...images.map((image) => image.storedFileId)]);
      await updateLetter(tx, deleted.id, { deletedAt: null }, { personId: person.id, now });
      await refreshSummary(tx, row.id);
      await logQueued(context, row, letterNumber, "hentet tilbage");
      invalidateCounts(context);
    } else if ((await findLetter(tx, row.id, letterNumber)) === undefined) throw noSuchLetter();
    return {
      to: safeReturn(to ?? lettersAt(row.id)),
      ...letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er hentet tilbage.`),
    };
  },
});

const toPatient = oneLetter.extend({ messageType: wayField(linkWays, "Vælg e-Boks eller SMS.") });

/**
 * 'Send link til røntgen til patienten' (POST /TerminationLetters/{id}/rentgen/{n}/send-message-to-patient): by 0
 * e-Boks or 1 SMS. Throws `invalid` without an image or if the channel cannot be used, and `notInScope`.
 */
export const sendLetterImages = change({
  name: "sendLetterImages",
  permission: "patientMessage.send",
  edit: seesLetter,
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "radiographLink", letterNumber, type });
  },
});

/** 'Send brevet til patienten': a link to the letter and its images, by 0 e-Boks or 1 SMS. Throws as `sendLetterImages` does. */
export const sendLetterToPatient = change({
  name: "sendLetterToPatient",
  permission: "patientMessage.send",
  edit: seesLetter,
  idempotent: true,
  input: toPatient,
  async run(context, { referralId, letterNumber, messageType: type }) {
    const { row } = await openLetter(context, referralId, letterNumber);
    return queued(context, row, { purpose: "letterFilesLink", letterNumber, type });
  },
});

const done = {
  radiographLink: "Linket til røntgenbillederne er sat i kø til patienten.",
  letterFilesLink: "Linket til brevet er sat i kø til patienten.",
};

async function queued(context: ChangeContext, row: ReferralRow, link: Parameters<typeof queuePatientLink>[2]) {
  await queuePatientLink(context, row, link);
  const left = await leftOutText(context.tx, context.portal.secrets, row, link);
  return letterChanged(row.id, `${done[link.purpose]}${left}`);
}

/** The confirmation before a letter is deleted. Throws `notInScope`. */
export const askDeleteLetter = read({
  name: "askDeleteLetter",
  permission: "dischargeLetter.manage",
  input: oneLetter,
  async run({ db, person, portal, auditRead }, { referralId, letterNumber }) {
    const row = await findReferral(db, person, referralId);
    const letter = await findLetter(db, row.id, letterNumber);
    if (letter === undefined) throw noSuchLetter();
    auditRead([row.id]);
    const images = await findLetterImages(db, [letter.id]);
    return {
      referralId: row.id,
      letterNumber,
      files: letterFiles(letter, images),
      patientName: fullName(row),
      fileName: letter.diagnosisFileName,
      imageNames: images.map(({ fileName }) => fileName),
      isQueued: letter.sendingOutcome === "queued" || letter.ediOutcome === "queued",
      purgeDays: portal.config.filePurgeDays,
    };
  },
});

/**
 * Deletes a letter and its files (DELETE /TerminationLetters/{id}/number/{n}): hidden now, purged later, restorable
 * until then (`restoreLetter`). Withdraws its unsent mail and disables its links. Throws `notInScope`.
 */
export const deleteLetter = change({
  name: "deleteLetter",
  permission: "dischargeLetter.manage",
  idempotent: false,
  edit: seesLetter,
  input: oneLetter.extend({ to: z.string().max(2000).optional() }),
  async run(context, { referralId, letterNumber, to }) {
    const { tx, person, portal, now } = context;
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    await withdrawWaiting(context, letter);
    await updateLetter(tx, letter.id, { deletedAt: toMoment(now) }, { personId: person.id, now });
    await revokePatientLinks(tx, { referralId: row.id, letterNumber }, "changed", now);
    const images = await findLetterImages(tx, [letter.id]);
    await purgeLater(tx, [...[letter.diagnosisFileId ?? []].flat(), ...images.map((image) => image.storedFileId)], {
      now,
      days: portal.config.filePurgeDays,
    });
    await refreshSummary(tx, row.id);
    await logQueued(context, row, letterNumber, "slettet");
    invalidateCounts(context);
    const { flash } = letterChanged(row.id, `Udskrivningsbrev ${letterNumber} er slettet.`);
    return {
      to: safeReturn(to ?? lettersAt(row.id)),
      flash: { ...flash, undo: { intent: "restoreLetter" as const, fields: { referralId: row.id, letterNumber } } },
    };
  },
});

/**
 * 'Send også som system-e-mail' of an EDI letter (PUT /TerminationLetters/edi/{id}/number/{n}), for the present and
 * later sendings. Throws `invalid` for other letters.
 */
export const setEdiAsEmail = change({
  name: "setEdiAsEmail",
  permission: "dischargeLetter.manage",
  idempotent: false,
  edit: {
    async read({ db, actor }, field) {
      const { letter } = await openLetter(
        { tx: db, actor },
        rowIdIn(field("referralId")),
        rowIdIn(field("letterNumber")),
      );
      return { values: { sendEdiTerminationAsEmail: letter.sendEdiAsEmail ? "on" : "" } };
    },
  },
  input: oneLetter.extend({
    sendEdiTerminationAsEmail: z.union([z.boolean(), z.enum(["on", "off"])]).default("off"),
  }),
  async run(context, { referralId, letterNumber, sendEdiTerminationAsEmail: wanted }) {
    const { row, letter } = await openLetter(context, referralId, letterNumber);
    if (!letter.isEdi) throw new Refusal("invalid", { text: "Brevet sendes ikke via EDI." });
    const isOn = wanted === true || wanted === "on";
    await updateLetter(
      context.tx,
      letter.id,
      { sendEdiAsEmail: isOn },
      { personId: context.person.id, now: context.now },
    );
    context.auditChange([row.id], `discharge letter ${letterNumber}`);
    return letterChanged(row.id, isOn ? await sendMailToo(context, row, letter) : await withdrawMail(context, letter));
  },
});

async function sendMailToo(context: ChangeContext, row: ReferralRow, letter: LetterRow): Promise<string> {
  const isUnmailed = letter.outboxId === null || letter.sendingOutcome === "withdrawn";
  const isAlone = letter.ediOutcome !== null && isUnmailed && letter.diagnosisFileId !== null;
  const receiver = await findLetterReceiver(context.tx, row.referrerId);
  if (!isAlone || receiver === null || letterError(row, receiver) !== null)
    return "Brevet sendes også som system-e-mail.";
  await queueLetter(context, row, letter, { receiver, attempt: 1, requestedBy: context.person.id, only: "email" });
  await logQueued(context, row, letter.letterNumber, "sat i kø som e-mail");
  return "Brevet sendes også som system-e-mail: den er sat i kø.";
}

async function withdrawMail({ outbox }: ChangeContext, letter: LetterRow): Promise<string> {
  const isByEdi = letter.ediOutcome !== null && ["queued", "awaiting", "sent"].includes(letter.ediOutcome);
  const isTaken = isByEdi && letter.sendingOutcome === "queued" && (await outbox.withdrawMessage(letter.outboxId!));
  return isTaken
    ? "Brevet sendes ikke også som system-e-mail: den er taget ud af køen."
    : "Brevet sendes ikke også som system-e-mail.";
}

/**
 * 'Patienten har frabedt sig brev til henviser': withdraws unsent letters, sends no more, and hides letters from the
 * referrer; or reverts that. Throws `notInScope`.
 */
export const declineLetters = change({
  name: "declineLetters",
  permission: "dischargeLetter.manage",
  idempotent: false,
  edit: {
    async read({ db, actor }, field) {
      const row = await lockReferral(db, actor, rowIdIn(field("referralId")));
      return { values: { declined: row.declinesDischargeLetter ? "on" : "" } };
    },
  },
  input: z.object({ referralId: wholeNumber, declined: z.enum(["on", "off"]).default("off") }),
  async run(context, { referralId, declined }) {
    const { tx, actor, outbox, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    const isDeclined = declined === "on";
    if (row.declinesDischargeLetter === isDeclined) return letterChanged(row.id, "Intet er ændret.");
    await writeDeclined(tx, row.id, isDeclined);
    if (isDeclined) await outbox.withdraw("dischargeLetter", [row.id]);
    const event = isDeclined ? DECLINED_TEXT : "Patienten har ikke længere frabedt sig brev til henviser";
    await logEvent(context, row, event);
    invalidateCounts(context);
    auditChange([row.id], isDeclined ? "discharge letters declined" : "discharge letters no longer declined");
    return letterChanged(row.id, `${event}.`);
  },
});
