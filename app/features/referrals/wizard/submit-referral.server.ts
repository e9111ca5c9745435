import { type ChangeContext, external } from "~/access/operation.server";
import type { CommandResult } from "~/access/caller";
import { can } from "~/access/permissions";
import { sealedCpr } from "~/access/sealed-column.server";
import { Refusal } from "~/access/refusal";
import { UPLOADED_NOW, WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { patientColumns } from "~/features/referrals/store/referral-columns.server";
import { findReferral, isSentBefore } from "~/features/referrals/store/referral-store.server";
import { claimDraftOfForm, formKeyFor } from "~/features/referrals/store/wizard-store.server";
import { paths, serverPaths } from "~/paths";
import { type PatientForm, patientForm } from "./patient-form.schema.server";
import { checkPatientForm, formOf, patientUploads, savePatientForm } from "./save-patient.server";
import { refer } from "./save-referrer.server";
import { sendSaved } from "./send-referral.server";

/**
 * 'Send henvisning' on step 1: all steps of a dentist's own referral with images. Where sending is refused the saved
 * draft opens on step 3 with the reason. A second press is answered as the first. Throws what `savePatient` throws.
 */
export const submitReferral = external({
  name: "submitReferral",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: patientForm,
  uploads: patientUploads,
  prepare: checkPatientForm,
  async run(context, form): Promise<CommandResult> {
    if (can(context.person, "referral.chooseReferrer")) throw new Refusal("notAllowed");
    const sent = await sentAlike(context, form);
    if (sent !== null) return { to: serverPaths.visitSent(sent) };
    const referralId = await savePatientForm(context, form);
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
  if (row.patient_id === null) return null;
  const columns = patientColumns(portal.secrets, formOf(person, form), row.patient_id);
  // A number is encrypted differently each time, and compared by its hash.
  const encrypted = Object.keys(sealedCpr.seal(portal.secrets, form.cpr));
  const isAlike = Object.entries(columns).every(
    ([column, value]) => encrypted.includes(column) || row[column as keyof typeof columns] === value,
  );
  return isAlike ? id : null;
}
