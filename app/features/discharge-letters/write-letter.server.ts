import { z } from "zod";
import type { Person } from "~/access/actor";
import {
  external,
  lookUp,
  read,
  type ReadContext,
  wholeNumber,
  pageAddress,
  succeeded,
} from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { sealedCpr } from "~/access/sealed-column.server";
import { findLetterReceiver, findReferrer } from "~/features/directory/operations.server";
import { readLetterLayout, LetterTooLong, renderLetter } from "~/features/letters/letter-pdf.server";
import { linkedRadiographs } from "~/features/referrals/details/linked-radiographs.server";
import { findReferral, lockReferral, type ReferralRow } from "~/features/referrals/store/referral-store.server";
import { readLetterhead, readLetterPhrases } from "~/features/settings/settings.server";
import { insertStoredFile, type NewStoredFile } from "~/files/stored-file-store.server";
import { safeReturn } from "~/features/accounts/return-path";
import { storeLetter } from "~/files/store-file.server";
import { requiredText, text } from "~/text/fields.server";
import { fullName } from "~/text/names";
import { findLetter, nextLetterNumber, replaceImages, noSuchLetter } from "./store.server";
import { letterBody, letterParts, letterSubject, withPhrase } from "./letter-text";
import { letterFormId, oneLetter } from "./open-letter.server";
import { letterError, lettersAt } from "./queue-letter.server";
import { attachPdf, letterOf } from "./upload-letter.server";

const MAX_LETTER_LENGTH = 3000;

/** The newest images are offered; a form of a thousand would take the server a third of a second. */
const MAX_OFFERED = 100;

const optional = text(MAX_LETTER_LENGTH).default("");

const typed = {
  diagnosis: requiredText("Skriv diagnosen.", MAX_LETTER_LENGTH),
  treatment: requiredText("Skriv, hvad der er gjort.", MAX_LETTER_LENGTH),
  medicine: optional,
  followUp: optional,
  images: z.preprocess((value) => (value === undefined ? [] : [value].flat()), z.array(wholeNumber).max(40)),
};

async function aboutLetter({ db, portal }: Pick<ReadContext, "db" | "portal">, person: Person, row: ReferralRow) {
  const receiver = await findLetterReceiver(db, row.referrerId);
  const surgeon = row.surgeonId === null ? null : await findReferrer(db, row.surgeonId);
  const { clinicName } = await readLetterhead(db, portal.config);
  return {
    receiver: receiver?.name ?? "kollega",
    patientName: fullName(row),
    cpr: sealedCpr.open(portal.secrets, row),
    referralId: row.id,
    surgeon: surgeon?.name ?? `${person.firstName} ${person.lastName}`,
    clinicName,
  };
}

/**
 * The form 'Skriv udskrivningsbrev'. Throws `notInScope`, also for a letter with a PDF, which only an upload replaces.
 */
export const readLetterForm = read({
  name: "readLetterForm",
  permission: "dischargeLetter.manage",
  input: oneLetter,
  async run(context, { referralId, letterNumber }) {
    const { db, portal, person, auditRead } = context;
    const row = await findReferral(db, person, referralId);
    const letter = await findLetter(db, row.id, letterNumber);
    if (letter === undefined && letterNumber !== (await nextLetterNumber(db, row.id))) throw noSuchLetter();
    auditRead([row.id]);
    const images = await linkedRadiographs(db, portal.secrets, row);
    return {
      referralId: row.id,
      letterNumber,
      hasPdf: letter?.diagnosisFileName != null,
      error: letterError(row, await findLetterReceiver(db, row.referrerId)),
      diagnosis: row.diagnose ?? "",
      about: await aboutLetter(context, person, row),
      phrases: await readLetterPhrases(db),
      images: images.slice(-MAX_OFFERED).map(({ id, fileName }) => ({ id, fileName })),
      imageCount: images.length,
    };
  },
});

/** 'Vis brevet igen' and 'Indsæt' without JavaScript: the form with the chosen standard phrases in its texts. */
export const previewLetter = lookUp({
  name: "previewLetter",
  permission: "dischargeLetter.manage",
  input: z.object(
    Object.fromEntries(letterParts.flatMap(({ name, phrase }) => [name, phrase]).map((name) => [name, optional])),
  ),
  async run(_context, typedTexts) {
    const values = letterParts.map(({ name, phrase }) => [name, withPhrase(typedTexts[name]!, typedTexts[phrase]!)]);
    return { data: { values: Object.fromEntries(values) as Record<string, string> } };
  },
});

/**
 * 'Opret og send': creates the PDF from the form with the chosen radiographs and continues like an upload. Throws
 * `invalid` if too long or without a receiver, and `notInScope`.
 */
export const writeLetter = external({
  name: "writeLetter",
  permission: "dischargeLetter.manage",
  idempotent: true,
  input: oneLetter.extend({ ...typed, to: pageAddress }),
  async prepare(context, { referralId, letterNumber, images: chosen, ...letter }) {
    const { db, portal, person, now } = context;
    const row = await findReferral(db, person, referralId);
    const linked = (await linkedRadiographs(db, portal.secrets, row)).filter(({ id }) => chosen.includes(id));
    const about = { ...(await aboutLetter(context, person, row)), images: linked.map(({ fileName }) => fileName) };
    try {
      const { pdf } = await renderLetter({
        ...(await readLetterLayout(portal)),
        address: [],
        subject: letterSubject(row.id),
        body: letterBody(letter, about),
        writtenAt: now,
      });
      const name = `Udskrivningsbrev_${row.id}_${letterNumber}.pdf`;
      const images: NewStoredFile[] = [];
      for (const { storageKey, fileName, mime, sizeBytes, sha256 } of linked)
        images.push({
          storageKey: await portal.files.put(await portal.files.openRead(storageKey)),
          fileName,
          mime,
          sizeBytes,
          sha256,
          scanState: "notScanned",
          dicomCprHash: null,
          dicomFactsEncrypted: null,
        });
      return { document: await storeLetter(portal, { name, pdf }), images };
    } catch (error) {
      if (!(error instanceof LetterTooLong)) throw error;
      throw new Refusal("invalid", { text: "Brevet fylder mere end to sider. Forkort teksten." });
    }
  },
  async run(context, { referralId, letterNumber, to }, { document, images }) {
    const { tx, actor, portal, now } = context;
    const row = await lockReferral(tx, actor, referralId);
    const letter = await letterOf(context, row, letterNumber);
    const ids: number[] = [];
    for (const image of images) ids.push(await insertStoredFile(tx, image, now));
    if (ids.length > 0) await replaceImages(tx, letter.id, ids, { now, days: portal.config.filePurgeDays });
    await attachPdf(context, row, letter, await insertStoredFile(tx, document, now));
    const sent = row.declinesDischargeLetter ? "gemt og sendes ikke" : "skrevet og sat i kø";
    return {
      to: to === undefined ? lettersAt(row.id) : `${safeReturn(to)}#udskrivningsbrev`,
      ...succeeded(`Udskrivningsbrev ${letterNumber} er ${sent}.`, { formId: letterFormId(row.id) }),
    };
  },
});
