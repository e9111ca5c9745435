import { type Db, idsOf } from "~db/connection.server";
import type { Person } from "~/access/actor";
import { type ChangeContext, external, type ReadContext } from "~/access/operation.server";
import { type Caller, refusedFileTexts } from "~/access/caller";
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
import { withStored } from "../details/form-values.server";
import {
  askedNames,
  judgeName,
  type NameAnswers,
  oldAgeText,
  otherRegisterName,
  refuseUnborn,
} from "../details/same-person.server";
import { takesApprovalFile, WIZARD_UNEXPECTED_ERROR } from "~/features/referrals/model/referral";
import { missingAddress, type PatientForm, patientForm } from "./patient-form.schema.server";
import { patientStepEdit } from "./step-edits.server";
import { facts, factsIn } from "~/features/referrals/model/facts";
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
import {
  findInWizard,
  findSentOrDraft,
  insertDraft,
  updatePatientPart,
} from "~/features/referrals/store/referral-store.server";

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
  // A draft deleted meanwhile is begun anew by the same form.
  idempotent: false,
  edit: patientStepEdit,
  input: patientForm,
  uploads: patientUploads,
  prepare: checkPatientForm,
  async run(context, form, checked) {
    const { id, notice } = await savePatientForm(context, form, checked);
    const isSelf = form.withReferrer === "on" && !can(context.person, "referral.chooseReferrer");
    const { to, flash } = isSelf
      ? await refer(context, { referralId: id, sendNotification: form.sendNotification })
      : { to: paths.wizardStep(id, 2), flash: undefined };
    const news = [notice, flash?.text, textsOfOthers(context.caller)].filter(Boolean).join(" ");
    return { to, ...(news && { flash: { tone: flash?.tone ?? (notice === null ? "info" : "success"), text: news } }) };
  },
});

/** Names the texts about the case that somebody else has changed meanwhile: two people read them as one. */
function textsOfOthers({ edited }: Caller): string | null {
  const labels = factsIn("clinical", "health").flatMap((name) =>
    edited?.followed.includes(name) ? facts[name].label : [],
  );
  return labels.length === 0 ? null : `Samtidig ændret af en anden: ${labels.join(", ")}.`;
}

type Checking = Pick<ReadContext, "portal" | "caller" | "person" | "db" | "now">;

/** Collects the questions to ask before step 1 is saved. Throws `invalid`, `fileRefused` and `patientEmailTaken`. */
export async function checkPatientForm(context: Checking, { cpr, email, ...form }: PatientForm): Promise<NameAnswers> {
  const { portal, caller, person, db } = context;
  const fields = refusedFileTexts(caller.files);
  if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
  const { questions, isOtherInRegister, isAskedName } = await checkPerson(context, { cpr, ...form });
  await askFirst(db, person, form, questions);
  await refuseTakenEmail({ db, portal, person }, { cpr, email, referralId: form.referralId });
  const missing = Object.entries(missingAddress(form));
  if (missing.length > 0 && !(await mayLackAddress(portal, person, cpr))) {
    throw new Refusal("invalid", {
      fields: Object.fromEntries(missing.map(([field, message]) => [field, [message]])),
    });
  }
  return { wasAsked: isAskedName && form.wasAsked !== undefined, isOtherInRegister };
}

/** Checks a number or a name that is not saved yet: once saved, it was asked about. */
async function checkPerson(
  context: Checking,
  { cpr, firstName, lastName, referralId }: Pick<PatientForm, "cpr" | "firstName" | "lastName" | "referralId">,
): Promise<{ questions: string[]; isOtherInRegister: boolean; isAskedName: boolean }> {
  const { db, person, portal, now } = context;
  const row = referralId === undefined ? null : await findSentOrDraft(db, person, referralId).catch(() => null);
  const isSame = row?.cprHash != null && portal.secrets.lookups("cpr", cpr).includes(row.cprHash);
  if (isSame && row.firstName === firstName && row.lastName === lastName)
    return { questions: [], isOtherInRegister: false, isAskedName: false };
  if (!isSame) refuseUnborn(cpr, now);
  const patient = { cpr, firstName, lastName };
  const registerName = await otherRegisterName(context, patient);
  const askedName = await askedNames(context, patient, { referralId, registerName });
  const questions = [isSame ? null : oldAgeText(cpr, now), askedName].filter((text) => text !== null);
  return { questions, isOtherInRegister: registerName !== null, isAskedName: askedName !== null };
}

/** Step 1 within the caller's transaction; returns the number, and a notice if a sent referral has another patient. */
export async function savePatientForm(
  context: ChangeContext,
  form: PatientForm,
  answers: NameAnswers,
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
      : await saveOver(context, known, { form: visible, patientId, answers });
  if (known === null) await judgeName(context, id, form, answers);
  if (known === null) await recordDraftOfForm(tx, person, formKey, id);
  await saveFiles(context, id, form, formKey);
  await deleteAutosavesOf(context, form, [form.formKey, formKey, autosaveKeyOf(id)]);
  context.auditChange([id]);
  if (known === null) invalidateCounts(context);
  return { id, notice };
}

export const formOf = (person: Person, form: PatientForm): PatientForm =>
  can(person, "referral.chooseVisitType") ? form : { ...form, visitType: "simple", externalId: null };

async function askFirst(
  db: Db,
  person: Person,
  form: Omit<PatientForm, "cpr" | "email">,
  aboutPerson: readonly string[],
): Promise<void> {
  if (form.wasAsked === undefined) return;
  const approvals = await findStagedFiles(db, person.id, form.formKey, "approval");
  const unanswered = Object.entries({
    ...(aboutPerson.length > 0 && { cpr6: aboutPerson.join(" ") }),
    ...confirmationQuestions(
      form,
      approvals.map(({ fileName }) => fileName),
    ),
  });
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
  { form, patientId, answers }: { form: PatientForm; patientId: number; answers: NameAnswers },
): Promise<{ id: ScopedReferralId; notice: string | null }> {
  const row = await findInWizard(context.tx, context.person, id);
  await updatePatientPart(context, context.portal.secrets, row, withStored(form, row), patientId);
  return { id: row.id, notice: await changePatient(context, row, form, answers) };
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
