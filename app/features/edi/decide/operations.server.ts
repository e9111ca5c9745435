import { z } from "zod";
import { change, type ChangeContext, external, wholeNumber, succeeded } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { type EdiState, patientOfLetter } from "~/features/edi/edi-states";
import {
  type EdiMessage,
  findEdiMessage,
  lockEdiMessage,
  settleEdiMessage,
  updateContent,
  findRawFile,
  linkSender,
} from "../store/edi-store.server";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { addToReferral, importReferral } from "~/features/edi/place/accept-letter.server";
import { deleteLooseObjects, deleteReferences } from "~/features/edi/store/edi-object-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { isUnborn, parseCpr } from "~/text/cpr";
import { localDate } from "~/text/dates";
import { line, requiredLine } from "~/text/fields.server";
import { fullName } from "~/text/names";
import { findReferrers } from "~/features/directory/operations.server";
import { senderKeyOf } from "~/features/edi/place/find-sender.server";
import { applyReferrer } from "~/features/referrals/details/operations.server";
import { FileNotInStore } from "~/gateways/file-store/port";
import { processReceipt } from "~/features/edi/receipts/process-receipt.server";
import { readRaw } from "~/features/edi/receive/raw-file.server";
import { readLetters } from "~/features/edi/receive/read-letters.server";
import { contentOf, insertFiles } from "~/features/edi/receive/receive-file.server";
import { scheduleRunNow } from "~/features/job-register/job-store.server";

const ediMessageInput = z.object({ messageId: wholeNumber.positive() });

/** A message in one of these states, locked until the transaction ends. Throws `notInScope` and `conflict`. */
async function openMessage(
  { tx, portal, concerns }: ChangeContext,
  messageId: number,
  states: readonly EdiState[],
): Promise<EdiMessage> {
  const message = await lockEdiMessage(tx, portal.secrets, messageId);
  if (message === null) throw new Refusal("notInScope", { text: "EDI-beskeden findes ikke." });
  const patient = patientOfLetter(message.content?.letter ?? null);
  if (patient?.cpr) concerns({ cpr: patient.cpr });
  if (!states.includes(message.state)) {
    // Its row may be gone from the page.
    const whose = patient ? ` om ${fullName(patient)}` : "";
    const text = `Nogen har allerede taget sig af EDI-besked ${messageId}${whose}.`;
    throw new Refusal("conflict", { text });
  }
  return message;
}

const answered = (messageId: number, text: string) =>
  succeeded(`EDI-besked ${messageId}: ${text}`, { formId: `edi-${messageId}` });

/** States in which a person may still decide; a `waiting` file or message waits for its letter. */
const UNDECIDED = ["person", "waiting"] as const;

/**
 * 'Opret henvisning': creates a referral despite the reason for waiting. The CPR number may be corrected. Throws
 * `conflict` and `invalid`.
 */
export const importEdiMessage = change({
  name: "importEdiMessage",
  permission: "edi.manage",
  input: ediMessageInput.extend({ cpr: line.max(20).optional() }),
  async run(context, { messageId, cpr: written }) {
    const message = await openMessage(context, messageId, UNDECIDED);
    const letter = message.content?.letter;
    if (letter?.kind !== "referral") throw new Refusal("conflict", { text: "Beskeden er ikke en henvisning." });
    const cpr = written ? parseCpr(written) : letter.patient.cpr;
    if (cpr === null)
      throw new Refusal("invalid", {
        fields: { cpr: ["Skriv patientens CPR-nummer: en dato på seks cifre og fire tegn, fx 251248-9996."] },
      });
    if (written && isUnborn(cpr, localDate(context.now)))
      throw new Refusal("invalid", {
        fields: { cpr: ["Patienten er ikke født endnu. Kontrollér det syvende ciffer."] },
      });
    await importReferral(context, message, letter, cpr, context.person.id);
    return answered(messageId, "henvisningen er oprettet.");
  },
});

/**
 * 'Læg på henvisning': adds text to the referral's thread and files to the referral. Throws `conflict`, `invalid` and
 * `notInScope`.
 */
export const attachEdiMessage = change({
  name: "attachEdiMessage",
  permission: "edi.manage",
  input: ediMessageInput.extend({
    visitNumber: line.regex(/^\d{1,9}$/, "Skriv henvisningens nummer med tal."),
  }),
  async run(context, { messageId, visitNumber }) {
    const message = await openMessage(context, messageId, UNDECIDED);
    const referral = await findReferral(context.tx, context.actor, Number(visitNumber)).catch(() => null);
    if (referral === null)
      throw new Refusal("invalid", { fields: { visitNumber: ["Der er ingen henvisning med det nummer."] } });
    await addToReferral(context, message, referral.id, context.person.id);
    return answered(messageId, `lagt på henvisning nr. ${referral.id}.`);
  },
});

/**
 * 'Læg til side': dismisses the message and purges its files. The sender is not notified; that is left to the person. Throws
 * `conflict`.
 */
export const dismissEdiMessage = change({
  name: "dismissEdiMessage",
  permission: "edi.manage",
  input: ediMessageInput,
  async run(context, { messageId }) {
    const { tx, now, person, auditChange } = context;
    await openMessage(context, messageId, UNDECIDED);
    await discardStoredFiles(tx, await deleteLooseObjects(tx, messageId), now);
    await settleEdiMessage(tx, messageId, { state: "dismissed", decidedBy: person.id }, now);
    auditChange([], `EDI message ${messageId}`);
    return answered(messageId, "lagt væk. Giv afsenderen besked, hvis brevet skal sendes igen.");
  },
});

/**
 * 'Kobl afsender': assigns a referrer to a sender, for this referral if it has none and for later messages. Throws
 * `conflict`, and `invalid` unless exactly one referrer matches.
 */
export const linkEdiSender = change({
  name: "linkEdiSender",
  permission: "edi.manage",
  input: ediMessageInput.extend({ referrer: requiredLine("Skriv henviserens navn.", 100) }),
  async run(context, { messageId, referrer: words }) {
    const { tx, person, actor, now } = context;
    const { content, referralId } = await openMessage(context, messageId, ["imported"]);
    const letter = content?.letter;
    const senderKey = letter?.kind === "referral" ? senderKeyOf(letter) : null;
    if (senderKey === null || referralId === null)
      throw new Refusal("conflict", {
        text: "Afsenderen har ikke både et nummer og et lokationsnummer, så den kan ikke kendes igen.",
      });
    const found = await findReferrers(tx, person, words, 5);
    const [only, other] = found;
    if (only === undefined || other !== undefined)
      throw new Refusal("invalid", {
        fields: {
          referrer: [
            only === undefined
              ? "Ingen aktiv henviser passer. Skriv dele af navnet eller klinikkens navn."
              : `Flere passer: ${found.map(({ name, clinicName }) => `${name} (${clinicName})`).join(", ")}. Skriv mere af navnet.`,
          ],
        },
      });
    await linkSender(tx, { senderKey, referrerId: only.id, personId: person.id, now });
    const referral = await findReferral(tx, actor, referralId);
    if (referral.referrerId === null)
      await applyReferrer(context, {
        referralId,
        seenVersion: referral.version,
        referrerId: only.id,
        changeClinic: only.clinicId === null ? undefined : "on",
        clinicId: only.clinicId ?? undefined,
      });
    return answered(messageId, `afsenderen er koblet til ${only.name}.`);
  },
});

export const READABLE_AGAIN = ["refused", "person", "dismissed"] as const;

/**
 * 'Indlæs igen': parses a message again from its stored file, e.g. after a location number was corrected in the
 * settings, and lets the import place it. Sends no second receipt. Throws `conflict` when the file is no longer stored.
 */
export const readEdiAgain = external({
  name: "readEdiAgain",
  permission: "edi.manage",
  input: ediMessageInput,
  async prepare({ db, portal }, { messageId }) {
    const message = await findEdiMessage(db, portal.secrets, messageId);
    const raw = message === null ? null : await findRawFile(db, portal.secrets, message.fileId);
    if (message === null || raw === null) throw gone();
    const bytes = await readRaw(portal.files, raw.storageKey, raw.content.key).catch((error: unknown) => {
      throw error instanceof FileNotInStore ? gone() : error;
    });
    const { position } = message;
    const { envelope, letters, objects } = await readLetters(portal, bytes, (each) => each === position);
    const letter = letters[position];
    if (letter === undefined) throw gone();
    return { envelope, letter, objects: objects[position] ?? [] };
  },
  async run(context, { messageId }, { envelope, letter, objects }) {
    const { tx, portal, now, auditChange } = context;
    await openMessage(context, messageId, READABLE_AGAIN);
    const isRefused = letter.kind === "refused";
    await discardStoredFiles(tx, await deleteLooseObjects(tx, messageId), now);
    await deleteReferences(tx, messageId);
    await updateContent(tx, portal.secrets, messageId, {
      kind: letter.kind,
      type: letter.type,
      letterId: letter.identifier,
      content: contentOf(envelope, letter),
    });
    await insertFiles(context, messageId, letter, objects);
    await settleEdiMessage(
      tx,
      messageId,
      isRefused
        ? { state: "refused", detail: letter.text }
        : letter.kind === "receipt"
          ? { state: "receipt", detail: null }
          : { state: "new", detail: null, nextAt: now },
      now,
    );
    if (letter.kind === "receipt") await processReceipt(context, messageId, letter);
    await scheduleRunNow(tx, "importEdi", now);
    auditChange([], `EDI message ${messageId}`);
    return answered(messageId, isRefused ? "kan stadig ikke læses." : "indlæses igen om få sekunder.");
  },
});

const gone = () => new Refusal("conflict", { text: "Beskeden er ikke gemt længere, som den kom." });
