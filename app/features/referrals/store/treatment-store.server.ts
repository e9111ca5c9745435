import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { Actor } from "~/access/actor";
import { inScope, type ScopedReferralId, trustedReferral } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import { CLOSED } from "../model/status";
import { UNKNOWN_TREATMENT } from "../model/referral";
import { searchKey, sortKey } from "~/text/names";
import type { ReferralRow } from "./referral-store.server";
import { fullName } from "~/text/names";

export interface PlanLine {
  id: number;
  date: string;
  time: string | null;
  durationMinutes: number | null;
  code: string;
  isCancelled: boolean;
}

/** Open sent referrals in scope with one of these CPR numbers; `isHeld` locks them until the transaction ends. */
export function findOpenByCpr(db: DbOrTx, actor: Actor, cprHashes: string[], isHeld: boolean) {
  const open = db
    .selectFrom("referral")
    .select(["id", "cpr_hash", "status", "version", "first_name", "last_name"])
    .where("cpr_hash", "in", cprHashes)
    .where("sent_at", "is not", null)
    .where("status", "!=", CLOSED)
    .where("deleted_at", "is", null)
    .orderBy("id");
  return inScope(isHeld ? forUpdate(db, open) : open, actor, "sent").execute();
}

/** Closed referrals of these CPR numbers in scope, oldest first. */
export function findClosedByCpr(db: DbOrTx, actor: Actor, cprHashes: string[]) {
  const closed = db
    .selectFrom("referral")
    .select(["id", "cpr_hash"])
    .where("cpr_hash", "in", cprHashes)
    .where("sent_at", "is not", null)
    .where("status", "=", CLOSED)
    .where("deleted_at", "is", null)
    .orderBy("id");
  return inScope(closed, actor, "sent").execute();
}

/** Whole names of the patients of referrals that an import's lines are about; staff see all of them. */
export async function findPatientNames(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, string>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("referral")
    .select(["id", "first_name", "last_name"])
    .where("id", "in", referralIds)
    .execute();
  return new Map(rows.map((row) => [row.id, fullName(row)]));
}

export async function findPlanLines(
  db: DbOrTx,
  referralIds: ScopedReferralId[],
): Promise<(PlanLine & { referralId: number })[]> {
  if (referralIds.length === 0) return [];
  const rows = await db
    .selectFrom("visit_appointment")
    .selectAll()
    .where("referral_id", "in", referralIds)
    .orderBy("date")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    referralId: row.referral_id,
    date: row.date,
    time: row.time,
    durationMinutes: row.duration_minutes,
    code: row.external_code,
    isCancelled: row.is_cancelled === 1,
  }));
}

export interface PlanLineValues extends Omit<PlanLine, "id"> {
  treatment: string;
  treatmentTypeId: number | null;
}

/** Inserts (`lineId` null) or updates a plan line and returns its id. A cancelled line keeps its other values. */
export async function upsertPlanLine(
  tx: Tx,
  { referralId, lineId }: { referralId: ScopedReferralId; lineId: number | null },
  values: PlanLineValues,
  now: Date,
): Promise<number> {
  const line = {
    date: values.date,
    time: values.time,
    duration_minutes: values.durationMinutes,
    treatment: values.treatment,
    external_code: values.code,
    treatment_type_id: values.treatmentTypeId,
    is_cancelled: values.isCancelled ? 1 : 0,
    modified_at: toMoment(now),
  };
  markReferrals(tx, [referralId]);
  if (lineId === null) {
    const inserted = await tx
      .insertInto("visit_appointment")
      .values({ referral_id: referralId, ...line })
      .executeTakeFirstOrThrow();
    return Number(inserted.insertId);
  }
  await tx
    .updateTable("visit_appointment")
    .set(values.isCancelled ? { is_cancelled: 1, modified_at: line.modified_at } : line)
    .where("id", "=", lineId)
    .execute();
  return lineId;
}

/** Copies the plan's next appointment to the referral and raises its version, without a version seen. */
export async function updateOperation(
  tx: Tx,
  referralId: ScopedReferralId,
  {
    next,
    treatmentTypeId,
    surgeonId,
    modifierId,
    now,
  }: {
    next: PlanLine | undefined;
    treatmentTypeId: number | null;
    surgeonId: number | null;
    modifierId: number;
    now: Date;
  },
): Promise<void> {
  const [hour, minute] = next?.time?.split(":").map(Number) ?? [];
  markReferrals(tx, [referralId]);
  await tx
    .updateTable("referral")
    .set((eb) => ({
      operation_date: next?.date ?? null,
      operation_hour: next ? (hour ?? 0) : null,
      operation_minute: next ? (minute ?? 0) : null,
      operation_duration: next?.durationMinutes ?? null,
      ...(next ? { treatment_type_id: treatmentTypeId } : {}),
      surgeon_id: surgeonId ?? undefined,
      modifier_id: modifierId,
      modified_at: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", referralId)
    .execute();
}

export interface TreatmentType {
  id: number;
  name: string;
  externalCodes: string;
  recommendationLink: string | null;
  version: number;
}

export function findTreatmentTypes(db: DbOrTx): Promise<TreatmentType[]> {
  return db
    .selectFrom("treatment_type")
    .select([
      "id",
      "name",
      "external_appointment_ids as externalCodes",
      "patient_recommendation_link as recommendationLink",
      "version",
    ])
    .where("deleted_at", "is", null)
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("name_sort")
    .orderBy("id")
    .execute();
}

/** Name of a type, also a deleted one; null for none, 'Ukendt behandling' for -100. */
export async function treatmentTypeName(db: DbOrTx, id: number | null): Promise<string | null> {
  if (id === null) return null;
  if (id === UNKNOWN_TREATMENT) return "Ukendt behandling";
  return (
    (await db.selectFrom("treatment_type").select("name").where("id", "=", id).executeTakeFirst())?.name ??
    "Ukendt behandling"
  );
}

export async function findTreatment(
  db: DbOrTx,
  id: number | null,
): Promise<{ name: string; recommendationLink: string | null } | null> {
  if (id === null || id === UNKNOWN_TREATMENT) return null;
  const row = await db
    .selectFrom("treatment_type")
    .select(["name", "patient_recommendation_link as recommendationLink"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertTreatmentType(tx: Tx, name: string): Promise<number> {
  const row = await tx
    .insertInto("treatment_type")
    .values({
      name,
      name_sort: sortKey(name),
      external_appointment_ids: "",
      patient_recommendation_link: null,
      deleted_at: null,
    })
    .executeTakeFirstOrThrow();
  return Number(row.insertId);
}

/**
 * Restores the latest deleted type of a name without its codes, which another may have now. Returns its id; null if
 * none.
 */
export async function restoreTreatmentType(tx: Tx, name: string): Promise<number | null> {
  const deleted = await tx
    .selectFrom("treatment_type")
    .select(["id", "name"])
    .where("deleted_at", "is not", null)
    .orderBy("id", "desc")
    .execute();
  const same = deleted.find((type) => searchKey(type.name) === searchKey(name));
  if (!same) return null;
  await tx
    .updateTable("treatment_type")
    .set((eb) => ({
      name,
      name_sort: sortKey(name),
      external_appointment_ids: "",
      deleted_at: null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", same.id)
    .execute();
  return same.id;
}

export async function updateTreatmentType(
  tx: Tx,
  id: number,
  type: { name: string; externalCodes: readonly string[]; recommendationLink: string | null; seenVersion: number },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("treatment_type")
      .set((eb) => ({
        name: type.name,
        name_sort: sortKey(type.name),
        external_appointment_ids: type.externalCodes.join(","),
        patient_recommendation_link: type.recommendationLink,
        version: eb("version", "+", 1),
      }))
      .where("id", "=", id)
      .where("version", "=", type.seenVersion),
  );
}

export async function hideTreatmentType(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable("treatment_type")
    .set({ deleted_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
}

/** A sent referral, locked until the transaction ends; undefined if deleted or a draft. */
export async function lockSentReferral(tx: Tx, id: number): Promise<ReferralRow | undefined> {
  const row = await forUpdate(
    tx,
    tx
      .selectFrom("referral")
      .selectAll()
      .where("id", "=", id)
      .where("sent_at", "is not", null)
      .where("deleted_at", "is", null),
  ).executeTakeFirst();
  return row && { ...row, id: trustedReferral(row.id) };
}

export async function markAnswer(
  tx: Tx,
  id: number,
  answer: "cancelled" | "confirmed" | null,
  now: Date,
): Promise<void> {
  const at = toMoment(now);
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set({
      cancellation_date: answer === "cancelled" ? at : null,
      confirmed_at: answer === "confirmed" ? at : null,
    })
    .where("id", "=", id)
    .execute();
}

/** Clears the answer before another time is written, and notes when; returns whether the time differs. */
export async function clearAnswerIfMoved(
  tx: DbOrTx,
  id: number,
  { day, hour, minute }: { day: string | null; hour: number | null; minute: number | null },
  now: Date,
): Promise<boolean> {
  const row = await tx
    .selectFrom("referral")
    .select(["operation_date", "operation_hour", "operation_minute"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return false;
  const isSame =
    row.operation_date === day &&
    (day === null || ((row.operation_hour ?? 0) === (hour ?? 0) && (row.operation_minute ?? 0) === (minute ?? 0)));
  if (isSame) return false;
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set({ cancellation_date: null, confirmed_at: null, operation_set_at: toMoment(now) })
    .where("id", "=", id)
    .execute();
  return true;
}

/** Writes a time the patient accepted; raises the version for open forms. */
export async function bookTime(
  tx: Tx,
  id: number,
  time: { day: string; hour: number; minute: number; durationMinutes: number | null; surgeonId: number | null },
  now: Date,
): Promise<void> {
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set((eb) => ({
      operation_date: time.day,
      operation_hour: time.hour,
      operation_minute: time.minute,
      operation_duration: time.durationMinutes,
      surgeon_id: time.surgeonId ?? undefined,
      cancellation_date: null,
      confirmed_at: toMoment(now),
      operation_set_at: toMoment(now),
      modified_at: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}
