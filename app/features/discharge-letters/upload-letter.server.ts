import { refuseBadFiles } from "~/access/caller";
import { change, type ChangeContext, keyedForm } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { findPersonEmail } from "~/features/directory/operations.server";
import { lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { uploadOf } from "~/files/file-rules";
import { claimStagedFiles } from "~/files/staging/staged-upload-store.server";
import {
  bringForward,
  findDicomOwners,
  findLetter,
  insertLetter,
  type LetterRow,
  nextLetterNumber,
  purgeLater,
  refreshSummary,
  replaceImages,
  updateLetter,
  noSuchLetter,
} from "./store.server";
import { letterChanged, oneLetter, seesLetter } from "./open-letter.server";
import { goesByEdi, letterReceiver, logQueued, queueLetter } from "./queue-letter.server";

async function refuseOthersImages(
  { tx }: Pick<ChangeContext, "tx">,
  row: ReferralRow,
  storedFileIds: readonly number[],
): Promise<void> {
  const others = (await findDicomOwners(tx, storedFileIds)).filter(
    ({ dicomCprHash: owner }) => owner !== null && owner !== row.cprHash,
  );
  if (others.length > 0)
    throw new Refusal("fileRefused", {
      fields: {
        letterImages: others.map(({ fileName: name }) => `${name}: DICOM-filen er en anden patients.`),
      },
    });
}

const upload = oneLetter.extend(keyedForm.shape);

/**
 * Uploads a letter's PDF (POST /TerminationLetters/{id}/diagnose/{n}): the next number creates the letter, another
 * replaces its PDF. Queues the mail to the referrer, and EDI if the referrer receives it; a mail that still waits
 * takes the new PDF. If the patient declined letters to the referrer, it is only stored. Throws `invalid` without a
 * file or receiver, `fileRefused`, and `notInScope`; the file stays with the form.
 */
export const uploadLetter = change({
  name: "uploadLetter",
  permission: "dischargeLetter.manage",
  edit: seesLetter,
  idempotent: true,
  uploads: { letterPdf: uploadOf("letter") },
  input: upload,
  async run(context, { referralId, letterNumber, formKey }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    refuseBadFiles(context.caller);
    const receiver = row.declinesDischargeLetter ? null : await letterReceiver(context.tx, row);
    const letter = await letterOf(context, row, letterNumber);
    const [file] = await claimStagedFiles(
      context.tx,
      { ownerId: context.person.id, formKey, fields: ["letterPdf"] },
      context.now,
    );
    if (!file) throw new Refusal("invalid", { fields: { letterPdf: ["Vælg en PDF-fil."] } });
    await attachPdf(context, row, letter, file.storedFileId);
    return letterChanged(
      row.id,
      receiver === null
        ? `Udskrivningsbrev ${letterNumber} er gemt og sendes ikke: patienten har frabedt sig brev til henviser.`
        : `Udskrivningsbrev ${letterNumber} er sat i kø til ${receiver.email}.`,
    );
  },
});

/**
 * Replaces a letter's images (POST /TerminationLetters/{id}/rentgen/{n}); sends nothing. Throws what `uploadLetter`
 * throws, except for a missing receiver.
 */
export const uploadLetterImages = change({
  name: "uploadLetterImages",
  permission: "dischargeLetter.manage",
  edit: seesLetter,
  idempotent: true,
  uploads: { letterImages: uploadOf("radiograph") },
  input: upload,
  async run(context, { referralId, letterNumber, formKey }) {
    const { tx, actor, person, portal, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    refuseBadFiles(context.caller);
    const letter = await letterOf(context, row, letterNumber);
    const files = await claimStagedFiles(tx, { ownerId: person.id, formKey, fields: ["letterImages"] }, now);
    if (files.length === 0) throw new Refusal("invalid", { fields: { letterImages: ["Vælg et røntgenbillede."] } });
    const ids = files.map(({ storedFileId }) => storedFileId);
    await refuseOthersImages(context, row, ids);
    await replaceImages(tx, letter.id, ids, { now, days: portal.config.filePurgeDays });
    await updateLetter(tx, letter.id, {}, { personId: person.id, now });
    await logQueued(context, row, letterNumber, "har fået røntgenbilleder");
    return letterChanged(row.id, `Røntgenbilleder er lagt ved udskrivningsbrev ${letterNumber}.`);
  },
});

/** 'Nyt brev': begins the next letter without files, or returns the newest one that has no PDF. */
export const beginLetter = change({
  name: "beginLetter",
  permission: "dischargeLetter.manage",
  idempotent: true,
  input: oneLetter.pick({ referralId: true }),
  async run(context, { referralId }) {
    const row = await lockReferral(context.tx, context.actor, referralId);
    const next = await nextLetterNumber(context.tx, row.id);
    const newest = await findLetter(context.tx, row.id, next - 1);
    if (newest !== undefined && newest.diagnosisFileName === null)
      return letterChanged(row.id, `Brev ${next - 1} mangler sin PDF: upload den, eller skriv brevet.`);
    await letterOf(context, row, next);
    await logQueued(context, row, next, "begyndt");
    return letterChanged(row.id, `Brev ${next} er begyndt.`);
  },
});

/** Finds a letter, or creates it if it is the next number. Throws `notInScope` for any other. */
export async function letterOf(context: ChangeContext, row: ReferralRow, letterNumber: number): Promise<LetterRow> {
  const { tx, person, now } = context;
  const letter = await findLetter(tx, row.id, letterNumber);
  if (letter !== undefined) return letter;
  if (letterNumber !== (await nextLetterNumber(tx, row.id))) throw noSuchLetter();
  const surgeonEmail = await findPersonEmail(tx, row.surgeonId);
  await insertLetter(tx, { referralId: row.id, letterNumber, surgeonEmail }, { personId: person.id, now });
  await refreshSummary(tx, row.id);
  invalidateCounts(context);
  return (await findLetter(tx, row.id, letterNumber))!;
}

/**
 * Attaches a PDF, hides the former one, and queues the mail unless the patient declined. A waiting mail stays, since
 * its link shows the new PDF.
 */
export async function attachPdf(
  context: ChangeContext,
  row: ReferralRow,
  letter: LetterRow,
  storedFileId: number,
): Promise<void> {
  const { tx, person, portal, outbox, now } = context;
  if (letter.diagnosisFileId !== null)
    await purgeLater(tx, [letter.diagnosisFileId], { now, days: portal.config.filePurgeDays });
  await updateLetter(tx, letter.id, { diagnosisFileId: storedFileId }, { personId: person.id, now });
  invalidateCounts(context);
  if (row.declinesDischargeLetter) return logQueued(context, row, letter.letterNumber, "gemt, ikke sendt");
  const receiver = await letterReceiver(tx, row);
  const hasMail = letter.sendingOutcome === "queued";
  const byEdi = goesByEdi(portal, row, receiver);
  if (hasMail) await bringForward(tx, letter.outboxId!, now);
  // EDI carries the PDF itself, so a waiting message with the former one is withdrawn.
  if (letter.ediOutcome === "queued") await outbox.withdrawMessage(letter.ediOutboxId!);
  if (!hasMail || byEdi)
    await queueLetter(
      context,
      row,
      { ...letter, diagnosisFileId: storedFileId },
      {
        receiver,
        attempt: 1,
        requestedBy: person.id,
        surgeonEmail: (await findPersonEmail(tx, row.surgeonId)) ?? letter.surgeonEmail,
        only: hasMail ? "edi" : undefined,
      },
    );
  await logQueued(context, row, letter.letterNumber, "sat i kø");
}
