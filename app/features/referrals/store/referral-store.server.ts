import type { Insertable, Selectable, Updateable } from "kysely";
import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ReferralTable } from "~db/schema";
import type { Actor, Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { Refusal } from "~/access/refusal";
import { DRAFT, inScope, justInserted, referralScope, type Scoped, type ScopedReferralId } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import { paths } from "~/paths";
import { toMoment } from "~/text/dates";
import { nameTokens, fullName, sortKey } from "~/text/names";
import { AWAITING_TRIAGE } from "../model/statuses";
import { sealedCpr } from "~/access/sealed-column.server";
import { birthDate } from "~/text/cpr";
import { clearByPayment, type FactValues, factsNotIn, factsOf } from "../model/facts";
import { laterFacts } from "../model/offered-prompts";
import { URGENT } from "../model/referral";
import { emailKey } from "~/text/fields.server";
import { logEvent } from "./visit-log-store.server";

export type ReferralRow = Scoped<Selectable<ReferralTable>>;

/** A sent referral in scope. Throws `notInScope`, also for an unknown id. */
export async function findReferral(db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  const row = await inScope(
    db.selectFrom("referral").selectAll().where("id", "=", id),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

export async function findReferrals(db: DbOrTx, actor: Actor, ids: number[]): Promise<ReferralRow[]> {
  if (ids.length === 0) return [];
  return inScope(db.selectFrom("referral").selectAll().where("id", "in", ids).orderBy("id"), actor, "sent").execute();
}

/** A sent referral in scope, locked until the transaction ends. Throws `notInScope`. */
export async function lockReferral(tx: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  const row = await inScope(
    forUpdate(tx, tx.selectFrom("referral").selectAll().where("id", "=", id)),
    actor,
    "sent",
  ).executeTakeFirst();
  if (!row) throw new Refusal("notInScope");
  return row;
}

/** A referral the actor may edit in the wizard: a draft in scope, for staff also a sent one. Throws `notInScope`. */
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

/** A sent referral in scope, or a draft that the actor may edit. Throws `notInScope`. */
export const findSentOrDraft = (db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> =>
  findReferral(db, actor, id).catch((error: unknown) => {
    if (error instanceof Refusal) return findEditable(db, actor, id);
    throw error;
  });

/** Locks a referral's row: later reads see what a simultaneous sending or deletion changed. Checks no scope. */
export async function lockReferralRow(tx: Tx, id: number): Promise<void> {
  await forUpdate(tx, tx.selectFrom("referral").select("id").where("id", "=", id)).executeTakeFirst();
}

/** Whether the requested referral was sent and the actor may see but not edit it. */
export async function isSentBefore(db: DbOrTx, actor: Actor, id: number): Promise<boolean> {
  if (can(actor, "referral.editSent")) return false;
  const sent = await inScope(
    db.selectFrom("referral").select("id").where("id", "=", id),
    actor,
    "sent",
  ).executeTakeFirst();
  return sent !== undefined;
}

/** The referral of a wizard form. Throws `alreadySent` for a draft sent meanwhile, and `notInScope`. */
export async function findInWizard(db: DbOrTx, actor: Actor, id: number): Promise<ReferralRow> {
  if (await isSentBefore(db, actor, id)) throw new Refusal("alreadySent", { to: paths.referral(id) });
  return findEditable(db, actor, id);
}

/** Inserts a draft from step 1; until step 2 referrer and clinic are the person's own. */
export async function insertDraft(
  tx: Tx,
  secrets: Secrets,
  person: Person,
  form: WrittenPatient,
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

/** Writes step 1 over a referral of `findEditable` and logs it. Throws `conflict` if saved since `seenVersion`. */
export async function updatePatientPart(
  context: Editing,
  secrets: Secrets,
  row: ReferralRow,
  form: WrittenPatient & { seenVersion?: number },
  patientId: number,
): Promise<void> {
  const columns = { ...patientColumns(secrets, form, patientId), availableStep: Math.max(row.availableStep, 2) };
  await saveLogged(context, row, PATIENT_PART_CHANGED, columns, form.seenVersion);
}

export const PATIENT_PART_CHANGED = "Patientens oplysninger er rettet";

export interface Editing {
  tx: Tx;
  actor: Actor;
  person: { id: number };
  now: Date;
}

export const modifiedBy = ({ person, now }: Pick<Editing, "person" | "now">) => ({
  modifierId: person.id,
  modifiedAt: toMoment(now),
});

/** Saves columns over the version seen, if any, and logs the edit unless the referral is a draft. Throws `conflict`. */
export async function saveLogged(
  context: Editing,
  row: ReferralRow,
  event: string,
  columns: Updateable<ReferralTable>,
  seenVersion = row.version,
): Promise<void> {
  await updateGuarded(context, row.id, seenVersion, columns);
  if (row.sentAt !== null) await logEvent(context, row, event);
}

/**
 * Updates by id and version and raises the version, which counts edits other than status. Throws `conflict` when no row
 * matches.
 */
export async function updateGuarded(
  context: Pick<Editing, "tx" | "person" | "now">,
  id: ScopedReferralId,
  seenVersion: number,
  set: Updateable<ReferralTable>,
): Promise<void> {
  const { tx } = context;
  const isUpdated = await changesAny(
    tx
      .updateTable("referral")
      .set({ ...set, ...modifiedBy(context) })
      .set((eb) => ({ version: eb("version", "+", 1) }))
      .where("id", "=", id)
      .where("version", "=", seenVersion),
  );
  if (!isUpdated) throw new Refusal("conflict");
  markReferrals(tx, [id]);
}

/** Raises the version of a sent referral for an edit that overwrites nothing, such as an added image. */
export async function bumpVersion(
  context: Pick<Editing, "tx" | "person" | "now">,
  id: ScopedReferralId,
): Promise<void> {
  await context.tx
    .updateTable("referral")
    .set(modifiedBy(context))
    .set((eb) => ({ version: eb("version", "+", 1) }))
    .where("id", "=", id)
    .execute();
}

interface Named {
  id: number;
  firstName: string;
  lastName: string;
}

/** The e-mail of a referral or draft in lower case; null without one or out of scope. */
export async function findReferralEmail(db: DbOrTx, actor: Actor, id: number): Promise<string | null> {
  const row = await inScope(
    db.selectFrom("referral").select(["id", "emailNorm"]).where("id", "=", id),
    actor,
    "both",
  ).executeTakeFirst();
  return row?.emailNorm ?? null;
}

/** Rewrites a name's search words; call whenever a name is saved. */
export async function rewriteNameTokens(
  tx: Tx,
  id: ScopedReferralId,
  { firstName, lastName }: Omit<Named, "id">,
): Promise<void> {
  await tx.deleteFrom("referralNameToken").where("referralId", "=", id).execute();
  await insertNameTokens(tx, [{ id, firstName, lastName }]);
}

async function insertNameTokens(tx: Tx, people: Named[]): Promise<void> {
  const rows = people.flatMap(({ id, firstName, lastName }) =>
    nameTokens(`${firstName} ${lastName}`).map((token) => ({ token, referralId: id })),
  );
  if (rows.length > 0) await tx.insertInto("referralNameToken").values(rows).execute();
}

/** Inserts many complete referrals with given ids and their search words, at most 300 per call. */
export async function insertReferrals(tx: Tx, rows: Insertable<ReferralTable>[]): Promise<void> {
  await tx.insertInto("referral").values(rows).execute();
  markReferrals(
    tx,
    rows.map((row) => row.id!),
  );
  await insertNameTokens(
    tx,
    rows.map((row) => ({ id: row.id!, firstName: row.firstName, lastName: row.lastName })),
  );
}

export function findReceipt(db: DbOrTx, actor: Actor, id: number) {
  return db
    .selectFrom("referral")
    .select([
      "id",
      "firstName",
      "lastName",
      "sentAt",
      "desiredTreatment",
      "referenceType",
      "callType",
      "radiographsSendType",
      "sendNotificationToDentist",
      "awaitedFiles",
    ])
    .where("id", "=", id)
    .where("sentAt", "is not", null)
    .where(referralScope(actor))
    .executeTakeFirst();
}

export async function markSent(
  tx: Tx,
  id: ScopedReferralId,
  { radiographsSendType, personId, now }: { radiographsSendType: number; personId: number; now: Date },
): Promise<boolean> {
  const at = toMoment(now);
  markReferrals(tx, [id]);
  return changesAny(
    tx
      .updateTable("referral")
      .set((eb) => ({
        sentAt: at,
        createDate: at,
        modifiedAt: at,
        modifierId: personId,
        status: AWAITING_TRIAGE,
        statusSince: at,
        radiographsSendType,
        version: eb("version", "+", 1),
        statusVersion: eb("statusVersion", "+", 1),
      }))
      .where("id", "=", id)
      .where("status", "=", DRAFT)
      .where("deletedAt", "is", null),
  );
}

export function nameColumns({ firstName, lastName }: { firstName: string; lastName: string }) {
  const name = { firstName, lastName };
  return { ...name, nameSort: sortKey(fullName(name)) };
}

/** Columns of a CPR number: encrypted, hashed whole and by date, and the birth date. */
export function cprColumns(secrets: Secrets, cpr: string) {
  return {
    ...sealedCpr.seal(secrets, cpr),
    cprHash: secrets.lookup("cpr", cpr),
    cpr6: cpr.slice(0, 6),
    birthDate: birthDate(cpr),
  };
}

/** What is written of the patient and their case. */
export interface WrittenPatient extends FactValues {
  cpr: string;
  firstName: string;
  lastName: string;
  email: string | null;
  /** Without it `laterFacts` keep their stored values. */
  withPrompts?: "on";
}

export function patientColumns(secrets: Secrets, form: WrittenPatient, patientId: number) {
  const { cpr } = form;
  return {
    ...nameColumns(form),
    patientId,
    ...cprColumns(secrets, cpr),
    email: form.email,
    emailNorm: form.email === null ? null : emailKey(form.email),
    ...factsOf(clearByPayment(form), factsNotIn("health", "urgency")),
    ...(form.withPrompts ? factsOf(form, laterFacts) : {}),
    // Also where the caller does not know of the reason.
    ...(form.referenceType === URGENT ? {} : { urgentReason: 0 }),
    externalId: form.visitType === "edi" ? form.externalId : null,
  };
}

export function newDraft(
  columns: ReturnType<typeof patientColumns>,
  person: Pick<Person, "id" | "primaryClinicId">,
  now: Date,
) {
  const at = toMoment(now);
  return {
    ...columns,
    sentAt: null,
    createDate: at,
    modifiedAt: at,
    creatorId: person.id,
    modifierId: person.id,
    status: DRAFT,
    clinicId: person.primaryClinicId,
    referrerId: null,
    externalDoctorId: null,
    ediResponsibleDentist: null,
    sendNotificationToDentist: false,
    surgeonId: null,
    patientWithoutEboks: false,
    radiographsSendType: 0,
    availableStep: 2,
    operationDate: null,
    operationHour: null,
    operationMinute: null,
    operationDuration: null,
    treatmentTypeId: null,
    surgeonComment: null,
    notNeedTreatmentComment: null,
    price: null,
    isTest: false,
    exportedToCsv: false,
    hasRadiographs: false,
    hasUnansweredMessage: false,
    surgeonHasUnreadMessages: false,
    radiographExportStatus: null,
    sendRadiographToPatient: false,
    forceRadiographExport: false,
    callUpStatus: null,
    statusSince: at,
    deletedAt: null,
  };
}
