import { type ChangeContext, external } from "~/access/operation.server";
import type { CommandResult } from "~/access/command-result";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { eachPrompt } from "~/features/referrals/model/health-prompts";
import { UPLOADED_NOW, WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { findReferral, isSentBefore } from "~/features/referrals/store/referral-store.server";
import { findDraftOfForm, formKeyFor } from "~/features/referrals/store/wizard-store.server";
import { paths, serverPaths } from "~/paths";
import { type PatientForm, patientForm } from "./patient-form.schema.server";
import { checkPatientForm, patientUploads, savePatientForm } from "./save-patient.server";
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
    try {
      const referralId = await savePatientForm(context, form);
      await refer(context, { referralId, sendNotification: form.sendNotification });
      return await sendOrShow(context, referralId);
    } catch (error) {
      const sent = error instanceof Refusal && error.name === "alreadySent" ? await sentAlike(context, form) : null;
      if (sent === null) throw error;
      return { to: serverPaths.visitSent(sent) };
    }
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

const TEXTS = {
  desiredTreatment: "desired_treatment",
  diagnose: "diagnose",
  previousTreatment: "previous_treatment",
  comment: "comment",
  ...eachPrompt((name) => name),
} as const;

/** The referral that this form has sent with the same texts; null when they were changed since. */
async function sentAlike({ tx, person, portal }: ChangeContext, form: PatientForm): Promise<number | null> {
  const id =
    form.referralId ??
    (await findDraftOfForm(tx, person, await formKeyFor(tx, person, portal.secrets, form.formKey, form.cpr)));
  if (id === null || !(await isSentBefore(tx, person, id))) return null;
  const row = await findReferral(tx, person, id);
  const isAlike = Object.entries(TEXTS).every(
    ([name, column]) => (row[column] ?? null) === (form[name as keyof typeof TEXTS] ?? null),
  );
  return isAlike ? id : null;
}
