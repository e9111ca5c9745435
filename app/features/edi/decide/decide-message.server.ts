import { change } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { discardStoredFiles } from "~/files/stored-file-store.server";
import { addToReferral, importReferral } from "~/features/edi/place/accept-letter.server";
import { settleEdiMessage } from "~/features/edi/store/edi-message-store.server";
import { deleteLooseObjects } from "~/features/edi/store/edi-object-store.server";
import { findReferral } from "~/features/referrals/details/messaged-referral.server";
import { parseCpr } from "~/text/cpr";
import { line } from "~/text/fields.server";
import { ediMessageInput, openMessage, flashOf } from "./open-message.server";

/** States a person may still decide: also waiting for its letter. */
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
    await importReferral(context, message, letter, cpr, context.person.id);
    return { flash: flashOf(messageId, "henvisningen er oprettet.") };
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
    return { flash: flashOf(messageId, `lagt på henvisning nr. ${referral.id}.`) };
  },
});

/**
 * 'Læg væk': dismisses the message and purges its files. The sender is not notified; that is left to the person. Throws
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
    return { flash: flashOf(messageId, "lagt væk. Giv afsenderen besked, hvis brevet skal sendes igen.") };
  },
});
