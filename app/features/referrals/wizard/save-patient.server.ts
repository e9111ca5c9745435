import { type Db, idsOf } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { type ChangeContext, external, type ReadContext, succeeded } from "~/access/operation.server";
import { refusedFileTexts } from "~/access/caller";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import { throttle } from "~/access/throttle.server";
import { uploadOf } from "~/files/file-rules";
import { adoptUploads } from "~/files/staging/awaited-upload-store.server";
import { claimStagedFiles, findStagedFiles } from "~/files/staging/staged-upload-store.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { changePatient } from "../details/change-patient.server";
import { takesApprovalFile, WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { missingAddress, type PatientForm, patientForm } from "./patient-form.schema.server";
import { confirmationQuestions } from "~/features/referrals/model/confirmation-questions";
import { refer, refuseTakenEmail } from "./save-referrer.server";
import { attachFormImages } from "~/features/referrals/images/add-radiographs.server";
import { hasNoAddress } from "~/gateways/person-register/port";
import { upsertPatient } from "~/features/referrals/store/patient-store.server";
import { attachFiles, findFiles, hideFiles } from "~/features/referrals/store/referral-file-store.server";
import { invalidateCounts } from "../list/read-queues.server";
import {
  autosaveKeyOf,
  claimDraftOfForm,
  deleteAutosavesUnder,
  findAutosaves,
  formKeyFor,
  moveAutosaves,
  recordDraftOfForm,
} from "~/features/referrals/store/wizard-store.server";
import { findInWizard, insertDraft, updatePatientPart } from "~/features/referrals/store/referral-store.server";

const IMAGES_FIELD = "radiographs";

export const patientUploads = { approval: uploadOf("approval"), journals: uploadOf("journal") };

/**
 * Step 1 (POST and PUT /Visits/patientinfo): creates a draft or saves one; staff also a sent referral, whose status
 * stays. Images uploaded in the form become the draft's. Repeating the form saves the same draft. A dentist's own form
 * includes step 2. Throws `patientEmailTaken` (403), `conflict`, `alreadySent`, `notInScope` and `fileRefused`.
 */
export const savePatient = external({
  name: "savePatient",
  unexpectedErrorText: WIZARD_UNEXPECTED_ERROR,
  permission: "referral.write",
  input: patientForm,
  uploads: patientUploads,
  prepare: checkPatientForm,
  async run(context, form) {
    const { id, notice } = await savePatientForm(context, form);
    const isSelf = form.withReferrer === "on" && !can(context.person, "referral.chooseReferrer");
    return isSelf
      ? refer(context, { referralId: id, sendNotification: form.sendNotification })
      : { to: paths.wizardStep(id, 2), ...(notice === null ? {} : succeeded(notice)) };
  },
});

/** Collects the questions to ask before step 1 is saved. Throws `invalid`, `fileRefused` and `patientEmailTaken`. */
export async function checkPatientForm(
  { portal, caller, person, db }: Pick<ReadContext, "portal" | "caller" | "person" | "db">,
  { cpr, email, ...form }: PatientForm,
): Promise<void> {
  const fields = refusedFileTexts(caller.files);
  if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
  await askFirst(db, person, form);
  await refuseTakenEmail({ db, portal, person }, { cpr, email, referralId: form.referralId });
  const missing = Object.entries(missingAddress(form));
  if (missing.length > 0 && !(await mayLackAddress(portal, person, cpr))) {
    throw new Refusal("invalid", {
      fields: Object.fromEntries(missing.map(([field, message]) => [field, [message]])),
    });
  }
}

/** Step 1 within the caller's transaction; returns the number, and a notice if a sent referral has another patient. */
export async function savePatientForm(
  context: ChangeContext,
  form: PatientForm,
): Promise<{ id: ScopedReferralId; notice: string | null }> {
  const { tx, person, portal, now } = context;
  const visible = formOf(person, form);
  const formKey =
    form.referralId === undefined ? await formKeyFor(tx, person, portal.secrets, form.formKey, form.cpr) : form.formKey;
  const known = form.referralId ?? (await claimDraftOfForm(tx, person, formKey, now));
  const { cpr, email } = form;
  const patientId = await upsertPatient(tx, portal.secrets, { cpr, email, referralId: known }, now);
  const { id, notice } =
    known === null
      ? { id: await insertDraft(tx, portal.secrets, person, visible, patientId, now), notice: null }
      : await saveOver(context, known, visible, patientId);
  if (known === null) await recordDraftOfForm(tx, person, formKey, id);
  await saveFiles(context, id, form, formKey);
  await deleteAutosavesOf(context, form, [form.formKey, formKey, autosaveKeyOf(id)]);
  context.auditChange([id]);
  if (known === null) invalidateCounts(context);
  return { id, notice };
}

export const formOf = (person: Person, form: PatientForm): PatientForm =>
  can(person, "referral.chooseVisitType") ? form : { ...form, visitType: "simple", externalId: null };

async function askFirst(db: Db, person: Person, form: Omit<PatientForm, "cpr" | "email">): Promise<void> {
  if (form.wasAsked === undefined) return;
  const approvals = await findStagedFiles(db, person.id, form.formKey, "approval");
  const unanswered = Object.entries(
    confirmationQuestions(
      form,
      approvals.map(({ fileName }) => fileName),
    ),
  );
  if (unanswered.every(([, text]) => form.wasAsked?.includes(text))) return;
  throw new Refusal("invalid", {
    text: "Kontrollér, før henvisningen gemmes.",
    fields: Object.fromEntries(unanswered.map(([field, text]) => [field, [text]])),
  });
}

/** Asked at every save without address: protection may end, and a hidden field can be forged. */
async function mayLackAddress(portal: Portal, person: Person, cpr: string): Promise<boolean> {
  await throttle(portal, "personRegister", `person:${person.id}`);
  const answer = await portal.personRegister.find(cpr);
  return answer.kind === "protected" || (answer.kind === "found" && hasNoAddress(answer));
}

async function saveOver(
  context: ChangeContext,
  id: number,
  form: PatientForm,
  patientId: number,
): Promise<{ id: ScopedReferralId; notice: string | null }> {
  const row = await findInWizard(context.tx, context.person, id);
  await updatePatientPart(context, context.portal.secrets, row, form, patientId);
  return { id: row.id, notice: await changePatient(context, row, form) };
}

/** Deletes copies of saved text; text under another number becomes a form of its own. */
async function deleteAutosavesOf(
  { tx, person, portal: { secrets } }: ChangeContext,
  { formKey, cpr }: PatientForm,
  keys: string[],
): Promise<void> {
  for (const key of new Set(keys)) {
    await deleteAutosavesUnder(tx, secrets, person.id, key, cpr);
    await deleteAutosavesUnder(tx, secrets, person.id, key, null);
  }
  for (const copy of await findAutosaves(tx, secrets, person.id, formKey))
    await moveAutosaves(tx, copy.id, await formKeyFor(tx, person, secrets, formKey, copy.cpr));
}

/** Adds new record copies, removes those not kept; a new approval replaces the old. */
async function saveFiles(
  context: ChangeContext,
  id: ScopedReferralId,
  form: PatientForm,
  formKey: string,
): Promise<void> {
  const { tx, person, portal, caller, now } = context;
  // First, so that an image arriving meanwhile finds the draft.
  if (formKey === form.formKey) await adoptUploads(tx, person.id, form.formKey, id);
  // The key also has another number's form, so only this submission's files are surely this patient's.
  const staged = await claimStagedFiles(
    tx,
    { ownerId: person.id, formKey: form.formKey, fields: [...Object.keys(patientUploads), IMAGES_FIELD] },
    now,
    formKey === form.formKey ? undefined : (caller.files?.staged ?? []),
  );
  const there = await findFiles(tx, id);
  const newApproval = staged.some((file) => file.kind === "approval");
  const dropped = there.filter(
    (file) =>
      (file.kind === "journal" && !form.keepJournals.includes(file.id)) ||
      (file.kind === "approval" && (newApproval || !takesApprovalFile(form))),
  );
  await hideFiles(tx, id, idsOf(dropped), now, portal.config.filePurgeDays);
  await attachFormImages(context, id, staged, form.radiographType);
  const wanted = staged.filter(
    (file) => file.kind !== "radiograph" && (file.kind !== "approval" || takesApprovalFile(form)),
  );
  await attachFiles(
    tx,
    id,
    wanted.map((file) => ({ ...file, radiographType: null })),
    person.id,
    now,
  );
}
