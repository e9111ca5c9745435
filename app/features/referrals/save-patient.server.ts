import type { Tx } from "~db/connection.server";
import { insertUnlessThere } from "~db/connection.server";
import { isStaff, type Person } from "~/access/actor";
import { type ChangeContext, external, refusedFileTexts } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { throttle } from "~/access/throttle.server";
import { fileKinds } from "~/features/images/file-rules";
import { claimHeldFiles } from "~/features/images/held-uploads.server";
import { paths } from "~/paths";
import type { Portal } from "~/portal.server";
import { toMoment } from "~/text/dates";
import { takesApprovalFile, WIZARD_FAULT } from "./referral";
import { missingAddress, type PatientForm, patientForm } from "./patient-form.schema.server";
import { emailTaken, isEmailTaken, keepPatient } from "./patient-store.server";
import { attachFiles, findFiles, hideFiles } from "./referral-file-store.server";
import { findDraftOfForm, findInWizard, insertDraft, updatePatientPart } from "./referral-store.server";
import { forgetTypedInput, typedKeyOf } from "./typed-input-store.server";
import { insertVisitLog } from "./visit-log-store.server";

/**
 * Step 1 of the wizard (specification 2 §2.1, §7 POST and PUT /Visits/patientinfo): begins a draft, or saves over one; staff also
 * over a sent referral, whose status stays. Sending the same form twice saves into the one draft.
 *
 * Throws `patientEmailTaken` (403), `conflict`, `alreadySent`, `notInScope` and `fileRefused`.
 */
export const savePatient = external({
  name: "savePatient",
  faultText: WIZARD_FAULT,
  permission: "referral.write",
  input: patientForm,
  uploads: {
    approval: { kind: "approval", maxBytes: fileKinds.approval.maxBytes, maxFiles: 1 },
    journals: { kind: "journal", maxBytes: fileKinds.journal.maxBytes, maxFiles: 20 },
  },
  async prepare({ portal, caller, person, db }, { cpr, email, ...form }) {
    const fields = refusedFileTexts(caller.files);
    if (Object.keys(fields).length > 0) throw new Refusal("fileRefused", { fields });
    if (email !== null && (await isEmailTaken(db, portal.secrets, { cpr, email }))) {
      // The answer tells that the e-mail is known, so it is counted (design/decisions.md, CPR numbers).
      await throttle(portal, "patientEmail", `person:${person.id}`);
      throw emailTaken();
    }
    const missing = Object.entries(missingAddress(form));
    if (missing.length > 0 && !(await isAddressProtected(portal, person, cpr))) {
      throw new Refusal("invalid", { fields: Object.fromEntries(missing.map(([field, message]) => [field, [message]])) });
    }
  },
  async run(context, form) {
    const { tx, person, portal, now } = context;
    const visible = isStaff(person) ? form : { ...form, visitType: "simple" as const, externalId: null };
    const patientId = await keepPatient(tx, portal.secrets, form, now);
    const known = form.referralId ?? (await draftOfForm(tx, person, form.formKey, now));
    const id = known === null ? await insertDraft(tx, portal.secrets, person, visible, patientId, now) : await saveOver(context, known, visible, patientId);
    if (known === null) await rememberDraft(tx, person, form.formKey, id);
    await keepFiles(context, id, form);
    await forgetTypedInput(tx, person.id, [form.formKey, typedKeyOf(id)]);
    context.touched([id]);
    return { to: paths.wizardStep(id, 2) };
  },
});

/** Asked again at every save that leaves the address out: protection ends, and a hidden field can be made up. */
async function isAddressProtected(portal: Portal, person: Person, cpr: string): Promise<boolean> {
  await throttle(portal, "personRegister", `person:${person.id}`);
  return (await portal.personRegister.find(cpr)).kind === "protected";
}

async function saveOver({ tx, person, portal, now, actor }: ChangeContext, id: number, form: PatientForm, patientId: number): Promise<number> {
  const row = await findInWizard(tx, person, id);
  const seenVersion = form.version ?? row.version;
  await updatePatientPart(tx, portal.secrets, row, { form, patientId, modifierId: person.id, seenVersion, now });
  if (row.sent_at !== null) await insertVisitLog(tx, actor, [{ referralId: id, status: row.status, event: "Patientens oplysninger er rettet" }], now);
  return id;
}

/** The draft that an earlier sending of this very form began: going back in the browser and saving again changes that one. */
async function draftOfForm(tx: Tx, person: Person, formKey: string, now: Date): Promise<number | null> {
  const key = { user_id: person.id, operation: "savePatient", form_key: formKey };
  return (await insertUnlessThere(tx, "idempotency", { ...key, location: "", created_at: toMoment(now) })) ? null : findDraftOfForm(tx, person, formKey);
}

async function rememberDraft(tx: Tx, person: Person, formKey: string, id: number): Promise<void> {
  const key = { user_id: person.id, operation: "savePatient", form_key: formKey };
  await tx.updateTable("idempotency").set({ location: String(id) }).where((eb) => eb.and(key)).execute();
}

/** New journals are added, those not kept are dropped; a new approval file takes the place of the old one. */
async function keepFiles({ tx, person, portal, now }: ChangeContext, id: number, form: PatientForm): Promise<void> {
  const held = await claimHeldFiles(tx, person.id, form.formKey, now);
  const there = await findFiles(tx, id);
  const newApproval = held.some((file) => file.kind === "approval");
  const dropped = there.filter(
    (file) =>
      (file.kind === "journal" && !form.keepJournals.includes(file.id)) || (file.kind === "approval" && (newApproval || !takesApprovalFile(form))),
  );
  await hideFiles(tx, id, dropped.map((file) => file.id), now, portal.config.filePurgeDays);
  const wanted = held.filter((file) => file.kind !== "approval" || takesApprovalFile(form));
  await attachFiles(tx, id, wanted.map((file) => ({ ...file, radiographType: null })), person.id, now);
}
