import { createHash } from "node:crypto";
import type { Insertable, Selectable, Updateable } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import type { Database, ReferralTable } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { DRAFT, inScope, justInserted, type Scoped, type ScopedReferralId } from "~/access/scope.server";
import { sealedCpr } from "~/access/sealed-column.server";
import type { Secrets } from "~/access/secrets.server";
import { birthDate } from "~/text/cpr";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { fullName, nameTokens, sortKey } from "~/text/names";
import { clearByPayment } from "~/features/referrals/model/referral";
import type { PatientForm } from "~/features/referrals/wizard/patient-form.schema.server";
import { AWAITING_TRIAGE } from "~/features/referrals/model/status";

export type ReferralRow = Scoped<Selectable<ReferralTable>>;

/** A sent referral in the actor's scope. Throws `notInScope`, also for one that does not exist. */
export async function findReferral(db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  const row = await inScope(
    db.selectFrom("referral").selectAll().where("id", "=", id),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

/** The same, held until the transaction ends: nobody changes it between the look and the write. Throws `notInScope`. */
export async function lockReferral(tx: Tx, actor: Actor, id: number): Promise<ReferralRow> {
  const row = await inScope(
    forUpdate(tx, tx.selectFrom("referral").selectAll().where("id", "=", id)),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

/** A referral the actor may change in the wizard: a draft in scope, or, for staff, a sent one. Throws `notInScope`. */
export async function findEditable(db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  const row = await inScope(
    db.selectFrom("referral").selectAll().where("id", "=", id),
    actor,
    "draft",
  ).executeTakeFirst();
  if (row) return row;
  if (!can(actor, "referral.editSent")) throw new Refusal("notInScope");
  return findReferral(db, actor, id);
}

/** Whether a referral that the wizard asks for has been sent, where the actor may see but no longer edit it. */
export async function isSentBefore(db: DbOrTx, actor: Actor, id: number): Promise<boolean> {
  if (can(actor, "referral.editSent")) return false;
  const sent = await inScope(
    db.selectFrom("referral").select("id").where("id", "=", id),
    actor,
    "sent",
  ).executeTakeFirst();
  return sent !== undefined;
}

/** The same for a form of the wizard: a draft that has been sent since is no longer his to change. Throws `alreadySent` and `notInScope`. */
export async function findInWizard(db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  if (await isSentBefore(db, actor, id)) throw new Refusal("alreadySent", { to: paths.referral(id) });
  return findEditable(db, actor, id);
}

/** The draft or referral that step 1's form with this key became, or null (docs/decisions/0007). */
export async function findDraftOfForm(db: DbOrTx, person: Person, formKey: string): Promise<number | null> {
  const row = await db
    .selectFrom("idempotency")
    .select("location")
    .where((eb) => eb.and({ user_id: person.id, operation: "savePatient", form_key: formKey }))
    .executeTakeFirst();
  return row ? Number(row.location) : null;
}

/**
 * The key of the form that this number's texts belong to. A form may be open in two tabs; once it has become the draft of one number, or
 * somebody else has taken that draft on, what comes under another number is a form of its own (docs/decisions/0052).
 */
export async function formKeyFor(
  db: DbOrTx,
  person: Person,
  secrets: Secrets,
  formKey: string,
  cpr: string | null,
): Promise<string> {
  const begun = cpr === null ? null : await findDraftOfForm(db, person, formKey);
  if (begun === null || cpr === null) return formKey;
  const draft = await db
    .selectFrom("referral")
    .select("id")
    .where("id", "=", begun)
    .where("cpr_hash", "in", secrets.lookups("cpr", cpr))
    .where("modifier_id", "=", person.id)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return draft
    ? formKey
    : createHash("sha256")
        .update(`${formKey} ${secrets.lookup("cpr", cpr)}`)
        .digest("hex");
}

/** A name, and its place in a sorted list. */
export function nameColumns({ firstName, lastName }: { firstName: string; lastName: string }) {
  const name = { first_name: firstName, last_name: lastName };
  return { ...name, name_sort: sortKey(fullName(name)) };
}

/** A CPR number: encrypted, to be looked up whole or by its first six digits, and as a day of birth. */
export function cprColumns(secrets: Secrets, cpr: string) {
  return {
    ...sealedCpr.seal(secrets, cpr),
    cpr_hash: secrets.lookup("cpr", cpr),
    cpr6: cpr.slice(0, 6),
    birth_date: birthDate(cpr),
  };
}

/** The columns that step 1 fills in. */
export function patientColumns(secrets: Secrets, form: PatientForm, patientId: number) {
  const { cpr } = form;
  const payment = clearByPayment(form);
  return {
    ...nameColumns(form),
    patient_id: patientId,
    ...cprColumns(secrets, cpr),
    profession: form.profession,
    address: form.address,
    zip: form.zip,
    city: form.city,
    phone: form.phone,
    mobile_phone: form.mobilePhone,
    email: form.email,
    email_norm: form.email?.toLowerCase() ?? null,
    reference_type: form.referenceType,
    call_type: form.callType,
    visit_type: form.visitType,
    external_id: form.visitType === "edi" ? form.externalId : null,
    payment_type: payment.paymentType,
    insurance_company: payment.insuranceCompany,
    police_claim: payment.policeClaim,
    region_number: payment.regionNumber,
    region_address: payment.regionAddress,
    region_institution: payment.regionInstitution,
    region_zip: payment.regionZip,
    region_city: payment.regionCity,
    approval_type: payment.approvalType,
    diagnose: form.diagnose,
    previous_treatment: form.previousTreatment,
    desired_treatment: form.desiredTreatment,
    comment: form.comment,
    is_health_insurance: payment.isHealthInsurance ? 1 : 0,
    health_insurance_type: payment.healthInsuranceType,
  };
}

/** Begins a draft from step 1; its referrer and clinic are the person's own until step 2 says otherwise. */
export async function insertDraft(
  tx: Tx,
  secrets: Secrets,
  person: Person,
  form: PatientForm,
  patientId: number,
  now: Date,
): Promise<ScopedReferralId> {
  const row = await tx
    .insertInto("referral")
    .values(newDraft(patientColumns(secrets, form, patientId), person, now))
    .executeTakeFirstOrThrow();
  const id = justInserted(row);
  await rewriteNameTokens(tx, id, form);
  return id;
}

/** A whole row of a draft that has only been begun. */
export function newDraft(
  columns: ReturnType<typeof patientColumns>,
  person: Pick<Person, "id" | "primaryClinicId">,
  now: Date,
) {
  const at = toMoment(now);
  return {
    ...columns,
    sent_at: null,
    create_date: at,
    modified_at: at,
    creator_id: person.id,
    modifier_id: person.id,
    status: DRAFT,
    clinic_id: person.primaryClinicId,
    referrer_id: null,
    external_doctor_id: null,
    edi_responsible_dentist: null,
    send_notification_to_dentist: 0,
    surgeon_id: null,
    patient_without_eboks: 0,
    radiographs_send_type: 0,
    available_step: 2,
    operation_date: null,
    operation_hour: null,
    operation_minute: null,
    operation_duration: null,
    treatment_type_id: null,
    surgeon_comment: null,
    not_need_treatment_comment: null,
    price: null,
    is_test: 0,
    exported_to_csv: 0,
    has_radiographs: 0,
    has_unanswered_message: 0,
    surgeon_has_unread_messages: 0,
    radiograph_export_status: null,
    send_radiograph_to_patient: 0,
    force_radiograph_export: 0,
    call_up_status: null,
    status_since: at,
    deleted_at: null,
  };
}

/** Writes step 1 over a referral that `findEditable` found. Throws `conflict` when somebody saved it since `seenVersion`. */
export async function updatePatientPart(
  tx: Tx,
  secrets: Secrets,
  row: ReferralRow,
  {
    form,
    patientId,
    modifierId,
    seenVersion,
    now,
  }: { form: PatientForm; patientId: number; modifierId: number; seenVersion: number; now: Date },
): Promise<void> {
  await updateGuarded(tx, row.id, seenVersion, {
    ...patientColumns(secrets, form, patientId),
    available_step: Math.max(row.available_step, 2),
    modifier_id: modifierId,
    modified_at: toMoment(now),
  });
  if (row.first_name !== form.firstName || row.last_name !== form.lastName) await rewriteNameTokens(tx, row.id, form);
}

/** Updates where id and version; zero rows is a `conflict`. Raises the version, which counts people's edits. */
export async function updateGuarded(
  tx: Tx,
  id: ScopedReferralId,
  seenVersion: number,
  set: Updateable<Database["referral"]>,
): Promise<void> {
  const updated = await tx
    .updateTable("referral")
    .set(set)
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .where("version", "=", seenVersion)
    .executeTakeFirst();
  if (updated.numUpdatedRows === 0n) throw new Refusal("conflict");
}

/**
 * Counts an edit of a sent referral that overwrites nothing a person has seen, such as an image that is added: the version is raised
 * without one having been seen.
 */
export async function bumpVersion(
  tx: Tx,
  id: ScopedReferralId,
  { personId, now }: { personId: number; now: Date },
): Promise<void> {
  await tx
    .updateTable("referral")
    .set({ modifier_id: personId, modified_at: toMoment(now) })
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

interface Named {
  id: number;
  firstName: string;
  lastName: string;
}

/** The e-mail that a referral or draft of the actor's has, in lower case; null without one, or outside the actor's scope. */
export async function findReferralEmail(db: DbOrTx, actor: Actor, id: number): Promise<string | null> {
  const row = await inScope(
    db.selectFrom("referral").select(["id", "email_norm"]).where("id", "=", id),
    actor,
    "both",
  ).executeTakeFirst();
  return row?.email_norm ?? null;
}

/** The name's words for the prefix search, rewritten whenever a name is saved. */
export async function rewriteNameTokens(
  tx: Tx,
  id: ScopedReferralId,
  { firstName, lastName }: Omit<Named, "id">,
): Promise<void> {
  await tx.deleteFrom("referral_name_token").where("referral_id", "=", id).execute();
  await insertNameTokens(tx, [{ id, firstName, lastName }]);
}

async function insertNameTokens(tx: Tx, people: Named[]): Promise<void> {
  const rows = people.flatMap(({ id, firstName, lastName }) =>
    nameTokens(`${firstName} ${lastName}`).map((token) => ({ token, referral_id: id })),
  );
  if (rows.length > 0) await tx.insertInto("referral_name_token").values(rows).execute();
}

/** Many whole referrals at once with ids of the caller's choosing, at most 300 a call; their name tokens go along. */
export async function insertReferrals(tx: Tx, rows: Insertable<ReferralTable>[]): Promise<void> {
  await tx.insertInto("referral").values(rows).execute();
  await insertNameTokens(
    tx,
    rows.map((row) => ({ id: row.id!, firstName: row.first_name, lastName: row.last_name })),
  );
}

/** Makes a draft a referral, once however often it is asked for. Answers false when it had been sent already. */
export async function markSent(
  tx: Tx,
  id: ScopedReferralId,
  { radiographsSendType, personId, now }: { radiographsSendType: number; personId: number; now: Date },
): Promise<boolean> {
  const at = toMoment(now);
  const sent = await tx
    .updateTable("referral")
    .set((eb) => ({
      sent_at: at,
      create_date: at,
      modified_at: at,
      modifier_id: personId,
      status: AWAITING_TRIAGE,
      status_since: at,
      radiographs_send_type: radiographsSendType,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .where("status", "=", DRAFT)
    .executeTakeFirst();
  return sent.numUpdatedRows > 0n;
}
