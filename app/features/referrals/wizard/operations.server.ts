import { z } from "zod";
import { randomUUID } from "node:crypto";
import { invalidateDirectory } from "~/features/directory/operations.server";
import { change, read, wholeNumber, keyedForm } from "~/access/operation.server";
import { insertQuickProfile } from "~/features/accounts/create-account.server";
import { radiographsPart } from "../images/read-images.server";
import { awaitingOf } from "../sending/operations.server";
import { findFiles } from "../store/referral-file-store.server";
import {
  findEditable,
  findInWizard,
  findReceipt,
  findReferral,
  PATIENT_PART_CHANGED,
  saveLogged,
} from "../store/referral-store.server";
import { paths } from "~/paths";
import { personName, cprOf } from "~/text/fields.server";
import { fullName } from "~/text/names";
import { seesReferrer } from "./step-edits.server";
import { factFields } from "../model/facts.server";
import { clearByUrgency } from "../model/facts";
import { laterFacts } from "../model/offered-prompts";
import type { Person } from "~/access/actor";
import { Refusal } from "~/access/refusal";
import { parseCpr } from "~/text/cpr";
import type { Tx } from "~db/connection.server";
import {
  autosaveKeyOf,
  deleteAutosave,
  deleteAutosavesUnder,
  findAutosave,
  findDraftOfForm,
  formKeyFor,
  moveAutosaves,
  type TypedValues,
  upsertAutosave,
} from "../store/wizard-store.server";
import { FORM_FIELDS, hasPatientContent } from "../model/autosave-content";

/** Creates a referrer by name and chooses them for the referral. Throws `conflict` and `notInScope`. */
export const createReferrer = change({
  name: "createReferrer",
  permission: "referral.createReferrer",
  edit: seesReferrer,
  input: keyedForm.extend({
    referralId: wholeNumber,
    seenVersion: wholeNumber.optional(),
    firstName: personName("Skriv henviserens fornavn."),
    lastName: personName("Skriv henviserens efternavn."),
  }),
  async run(context, { referralId, seenVersion, firstName, lastName }) {
    const { tx, person, now, auditChange } = context;
    const row = await findEditable(tx, person, referralId);
    const referrerId = await insertQuickProfile(tx, person, { firstName, lastName }, now);
    invalidateDirectory(context);
    const columns = { referrerId, externalDoctorId: null };
    await saveLogged(context, row, `Henviser: ${firstName} ${lastName}`, columns, seenVersion);
    auditChange([referralId], `referrer ${referrerId} made`);
    return {
      to: paths.wizardStep(referralId, 2),
      flash: { tone: "success", text: `${firstName} ${lastName} er oprettet og valgt som henviser.` },
    };
  },
});

/**
 * Writes what the form asks for beside the diagnosis, and why it is urgent (PUT /next/Visits/{id}/clinical-facts); a fact that
 * is absent is emptied. Staff also change those of a sent referral. Throws `alreadySent`, `conflict` and `notInScope`.
 */
export const saveClinicalFacts = change({
  name: "saveClinicalFacts",
  permission: "referral.write",
  input: z.object({
    ...factFields(laterFacts),
    referralId: wholeNumber,
    seenVersion: wholeNumber.optional(),
  }),
  async run(context, { referralId, seenVersion, ...facts }) {
    const row = await findInWizard(context.tx, context.person, referralId);
    const { urgentReason } = clearByUrgency({ ...row, ...facts });
    await saveLogged(context, row, PATIENT_PART_CHANGED, { ...facts, urgentReason }, seenVersion);
    context.auditChange([row.id]);
    return {};
  },
});

/**
 * The receipt after 'Send henvisning'. `awaiting` while it waits for files; `draft` for any other draft; `uploads`
 * while files are uploading.
 */
export const readReceipt = read({
  name: "readReceipt",
  permission: "referral.write",
  input: z.object({ referralId: wholeNumber.positive().optional().catch(undefined) }),
  async run({ db, person, portal, auditRead }, { referralId }) {
    const nothing = { receipt: null, awaiting: null, draft: null, uploads: null };
    if (!referralId) return nothing;
    const sent = await findReceipt(db, person, referralId);
    const unsent = sent ? null : await findEditable(db, person, referralId).catch(() => null);
    if (!sent && !unsent) return nothing;
    const awaiting = unsent && (await awaitingOf(db, unsent));
    auditRead([referralId]);
    const isLacking = awaiting !== null || (sent?.awaitedFiles ?? 0) > 0;
    const row = isLacking ? (unsent ?? (await findReferral(db, person, referralId))) : null;
    return {
      receipt: sent
        ? {
            id: sent.id,
            name: fullName(sent),
            sentAt: sent.sentAt!,
            desiredTreatment: sent.desiredTreatment,
            referenceType: sent.referenceType,
            callType: sent.callType,
            radiographsSendType: sent.radiographsSendType,
            isNotified: sent.sendNotificationToDentist,
            awaitedFiles: sent.awaitedFiles,
          }
        : null,
      awaiting: awaiting && unsent && { id: unsent.id, name: fullName(unsent), ...awaiting },
      draft: unsent && !awaiting ? { id: unsent.id, name: fullName(unsent) } : null,
      uploads: row && (await radiographsPart({ db, portal, person }, row, await findFiles(db, row.id))),
    };
  },
});

const formKey = z.string().regex(/^[\w-]{1,64}$/);
const referralId = wholeNumber.optional();
const copyId = wholeNumber;

/**
 * Autosave of step 1: unvalidated text kept for this person under its CPR number (docs/decisions/0052). Changes no
 * referral. `data.savedAt` is the time if something was stored. Throws `notInScope`.
 */
export const saveAutosave = change({
  name: "saveAutosave",
  permission: "referral.write",
  input: z.looseObject({
    formKey,
    referralId,
    /** The number the text belongs to, since a half-typed one is not another patient's. */
    typedFor: z.string().optional(),
    continued: z.string().optional(),
  }),
  async run({ tx, person, portal, now }, form) {
    const values = underOneNumber(autosaveValues(form), form.typedFor);
    if (values === null) return { data: {} };
    const own = await formKeyFor(tx, person, portal.secrets, form.formKey, cprOf(values));
    if (await isSavedSince(tx, person, { ...form, formKey: own })) return { data: {} };
    const key = form.referralId === undefined ? own : autosaveKeyOf(form.referralId);
    if (form.continued) await deleteAutosavesUnder(tx, portal.secrets, person.id, key, null);
    if (form.referralId === undefined && !hasPatientContent(values)) {
      await deleteAutosavesUnder(tx, portal.secrets, person.id, key, cprOf(values));
      return { data: { savedAt: null } };
    }
    await upsertAutosave(tx, portal.secrets, {
      userId: person.id,
      formKey: key,
      referralId: form.referralId ?? null,
      values,
      now,
    });
    return { data: { savedAt: now.toISOString() } };
  },
});

/** Values under the number they were typed for; null if another patient's number is in the boxes now. */
function underOneNumber(values: TypedValues, typedFor: string | undefined): TypedValues | null {
  if (typedFor === undefined) return values;
  const [owner, standing] = [parseCpr(typedFor), cprOf(values)];
  if (standing !== null && standing !== owner) return null;
  return owner === null ? values : { ...values, cpr6: owner.slice(0, 6), cpr4: owner.slice(7) };
}

async function isSavedSince(
  tx: Tx,
  person: Person,
  form: { formKey: string; referralId?: number; seenVersion?: unknown },
): Promise<boolean> {
  if (form.referralId === undefined) return (await findDraftOfForm(tx, person, form.formKey)) !== null;
  const row = await findEditable(tx, person, form.referralId);
  return row.modifierId === person.id && Number(form.seenVersion) < row.version;
}

function autosaveValues(form: Record<string, unknown>): TypedValues {
  const isText = (value: unknown): value is string | string[] =>
    typeof value === "string" || (Array.isArray(value) && value.every((each) => typeof each === "string"));
  return Object.fromEntries(
    Object.entries(form).filter(
      (entry): entry is [string, string | string[]] => !FORM_FIELDS.has(entry[0]) && isText(entry[1]),
    ),
  );
}

/** 'Kassér': deletes one unsaved copy. `referralId` is the page shown afterwards. */
export const discardAutosave = change({
  name: "discardAutosave",
  permission: "referral.write",
  input: z.object({ copyId, isShown: z.string().optional(), referralId }),
  async run({ tx, person }, form) {
    await deleteAutosave(tx, person.id, form.copyId);
    const flash = { tone: "info" as const, text: "Det, der ikke var gemt, er kasseret." };
    if (!form.isShown) return { flash };
    // Straight to the form, since a redirecting page would consume the message.
    return {
      to: form.referralId === undefined ? paths.newReferral(randomUUID()) : paths.wizardStep(form.referralId, 1),
      flash,
    };
  },
});

/** Opens a copy under another number as a new referral. Throws `notInScope`. */
export const openTyped = change({
  name: "openTyped",
  permission: "referral.write",
  input: z.object({ copyId }),
  async run({ tx, person, portal }, form) {
    const copy = await findAutosave(tx, portal.secrets, person.id, form.copyId);
    if (copy === null) throw new Refusal("notInScope");
    const own = randomUUID();
    await moveAutosaves(tx, copy.id, own);
    return { to: paths.newReferral(own) };
  },
});
