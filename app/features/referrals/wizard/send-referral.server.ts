import { z } from "zod";
import { type ChangeContext, external } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { markAwaited } from "~/files/staging/awaited-upload-store.server";
import { cancelUnfinished, findUnfinished } from "~/files/staging/partial-upload-store.server";
import { paths, serverPaths } from "~/paths";
import { filesRefused, attachStagedFiles, radiographsInput, radiographUploads } from "../images/add-radiographs.server";
import { chosenTypes, detachRadiographs, recordEdit } from "../images/change-radiographs.server";
import {
  labelOf,
  radiographsSendTypes,
  takesApprovalFile,
  UPLOADED_NOW,
  URGENT,
  WIZARD_UNEXPECTED_ERROR,
} from "../model/referral";
import { findFiles, updateRadiographsSendType } from "../store/referral-file-store.server";
import {
  findEditable,
  isSentBefore,
  lockReferralRow,
  patientColumns,
  type ReferralRow,
  findReferral,
} from "../store/referral-store.server";
import { finishCompletedUploads } from "../images/finish-upload.server";
import { sendDraft } from "../sending/operations.server";
import { insertAwaitedSending, refreshAwaitedFiles, claimDraftOfForm, formKeyFor } from "../store/wizard-store.server";
import type { CommandResult } from "~/access/caller";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { patientStepEdit } from "./step-edits.server";
import { type PatientForm, patientForm } from "./patient-form.schema.server";
import { checkPatientForm, formOf, patientUploads, savePatientForm } from "./save-patient.server";
import { refer } from "./save-referrer.server";

/**
 * Step 3 and sending (POST /Visits/{id}/radiographs): turns the draft into a referral exactly once. A sent referral is
 * only saved, keeping its status; changes raise its version and are logged. Files and types in the form are saved
 * first, so that a refusal loses none. With unfinished uploads it is sent when the last arrives
 * (docs/rules/sending-with-files.md). Throws `fileRefused`, `stepNotReached`, `uploadUnfinished`, `notInScope`, and
 * `invalid` for missing images or approval.
 */
export const sendReferral = external({
  name: "sendReferral",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: radiographsInput.extend({
    radiographsSendType: z.coerce
      .number({ error: "Vælg, hvordan billederne sendes." })
      .refine((value) => radiographsSendTypes.some((type) => type.value === value), "Vælg, hvordan billederne sendes."),
    wasAsked: z.string().optional(),
    /** Send when the uploads finish, or an urgent one at once. Absent: unfinished uploads refuse the form. */
    waitForFiles: z.literal("on").optional().catch(undefined),
  }),
  uploads: radiographUploads,
  async prepare(context, input) {
    if (input.radiographsSendType === UPLOADED_NOW) await finishCompletedUploads(context, input.referralId);
    if (!context.caller.files && chosenTypes(input).size === 0) return;
    // Duplicates do not prevent sending: a second press sends the same files again.
    const { refused, ...rest } = await attachStagedFiles(context, input);
    if (refused.length + rest.asked.length > 0) throw filesRefused(refused, rest);
  },
  run: sendSaved,
});

interface Sending {
  referralId: number;
  radiographsSendType: number;
  wasAsked?: string;
  waitForFiles?: "on";
}

/** Sending within the caller's transaction, once all steps are saved. Throws what `sendReferral` throws. */
async function sendSaved(
  context: ChangeContext,
  { referralId, radiographsSendType, wasAsked, waitForFiles }: Sending,
): Promise<{ to: string }> {
  const { tx, person, now, auditChange } = context;
  // A file that arrives now waits and sees the decision; a draft that was deleted meanwhile is not sent.
  await lockReferralRow(tx, referralId);
  if (await isSentBefore(tx, person, referralId)) return { to: serverPaths.visitSent(referralId) };
  const referral = await findEditable(tx, person, referralId);
  if (referral.availableStep < 3) throw new Refusal("stepNotReached");
  const unfinished = await findUnfinished(tx, person.id, referral.id);
  const isUploading = radiographsSendType === UPLOADED_NOW && unfinished.length > 0;
  if (isUploading && waitForFiles === undefined) throw halfUploaded(unfinished.map(({ fileName }) => fileName));
  const files = await findFiles(tx, referral.id);
  const images = files.filter((file) => file.kind === "radiograph");
  if (radiographsSendType === UPLOADED_NOW && images.length === 0 && !isUploading) {
    throw new Refusal("invalid", {
      text: "Tilføj mindst én fil, eller vælg en anden måde at sende billederne på.",
      fields: { radiographs: ["Tilføj mindst én fil."] },
    });
  }
  const lacksApproval =
    takesApprovalFile({ paymentType: referral.paymentType, approvalType: referral.approvalType }) &&
    !files.some((file) => file.kind === "approval");
  if (wasAsked !== undefined && wasAsked !== APPROVAL && lacksApproval && referral.sentAt === null)
    throw new Refusal("invalid", { text: LACKS_APPROVAL, fields: { wasAsked: [APPROVAL] } });
  if (isUploading) await markAwaited(tx, referral.id, now);
  else await cancelUnfinished(tx, unfinished);
  auditChange([referralId]);
  if (isUploading && referral.sentAt === null && referral.referenceType !== URGENT) {
    await insertAwaitedSending(tx, referral.id, person.id, now);
    return { to: serverPaths.visitSent(referralId) };
  }
  if (radiographsSendType !== UPLOADED_NOW && images.length > 0) await detachRadiographs(context, referral, images);
  const isFirst = await sendDraft(context, referral, { radiographsSendType, personId: person.id });
  if (!isFirst) {
    await refreshAwaitedFiles(tx, referral.id);
    await changeSendType(context, referral, radiographsSendType);
  }
  return { to: isFirst ? serverPaths.visitSent(referralId) : paths.referral(referralId) };
}

async function changeSendType(context: ChangeContext, referral: ReferralRow, type: number): Promise<void> {
  if (referral.radiographsSendType === type) return;
  await updateRadiographsSendType(context.tx, referral.id, type);
  await recordEdit(context, referral, `Billederne: ${labelOf(radiographsSendTypes, type).toLowerCase()}`);
}

const APPROVAL = "approval";
const LACKS_APPROVAL =
  "Behandlingsgodkendelsen er ikke vedhæftet, selv om der er valgt »Uploades nu«. Vedhæft den på trin 1, eller tryk Send henvisning igen for at sende uden den.";

function halfUploaded(names: string[]): Refusal {
  const what =
    names.length === 1
      ? `${names[0]} er kun halvt uploadet.`
      : `${names.length} filer er kun halvt uploadet: ${names.join(", ")}.`;
  return new Refusal("uploadUnfinished", {
    text: `${what} Vælg ${names.length === 1 ? "filen" : "dem"} igen for at fortsætte, eller fjern ${names.length === 1 ? "den" : "dem"}.`,
  });
}

/**
 * 'Send henvisning' on step 1: all steps of a dentist's own referral with images. Where sending is refused the saved
 * draft opens on step 3 with the reason. A second press is answered as the first. Throws what `savePatient` throws.
 */
export const submitReferral = external({
  name: "submitReferral",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  // A draft deleted meanwhile is begun anew by the same form.
  idempotent: false,
  edit: patientStepEdit,
  input: patientForm,
  uploads: patientUploads,
  prepare: checkPatientForm,
  async run(context, form, checked): Promise<CommandResult> {
    if (can(context.person, "referral.chooseReferrer")) throw new Refusal("notAllowed");
    const sent = await sentAlike(context, form);
    if (sent !== null) return { to: serverPaths.visitSent(sent) };
    const { id: referralId } = await savePatientForm(context, form, checked);
    await refer(context, { referralId, sendNotification: form.sendNotification });
    return sendOrShow(context, referralId);
  },
});

async function sendOrShow(context: ChangeContext, referralId: number): Promise<CommandResult> {
  try {
    return await sendSaved(context, {
      referralId,
      radiographsSendType: UPLOADED_NOW,
      wasAsked: "nothing",
      waitForFiles: "on",
    });
  } catch (error) {
    if (!(error instanceof Refusal) || error.text === undefined) throw error;
    return { to: paths.wizardStep(referralId, 3), flash: { tone: "error", text: error.text } };
  }
}

/** The referral that this form has sent with the same values; null when any was changed since. */
async function sentAlike({ tx, person, portal, now }: ChangeContext, form: PatientForm): Promise<number | null> {
  const id =
    form.referralId ??
    (await claimDraftOfForm(tx, person, await formKeyFor(tx, person, portal.secrets, form.formKey, form.cpr), now));
  if (id === null || !(await isSentBefore(tx, person, id))) return null;
  const row = await findReferral(tx, person, id);
  if (row.patientId === null) return null;
  const columns = patientColumns(portal.secrets, formOf(person, form), row.patientId);
  // A number is encrypted differently each time, and compared by its hash.
  const isAlike = Object.entries(columns).every(
    ([column, value]) => sealedCpr.columns.includes(column) || row[column as keyof typeof columns] === value,
  );
  return isAlike ? id : null;
}
