import { type DbOrTx, forUpdate, type Tx, changesAny } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { Actor } from "~/access/actor";
import { inScope, type ScopedReferralId, trustedReferral } from "~/access/scope.server";
import { toMoment } from "~/text/dates";
import { CLOSED } from "../model/statuses";
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
    .select(["id", "cprHash", "status", "version", "firstName", "lastName"])
    .where("cprHash", "in", cprHashes)
    .where("sentAt", "is not", null)
    .where("status", "!=", CLOSED)
    .where("deletedAt", "is", null)
    .orderBy("id");
  return inScope(isHeld ? forUpdate(db, open) : open, actor, "sent").execute();
}

/** Closed referrals of these CPR numbers in scope, oldest first. */
export function findClosedByCpr(db: DbOrTx, actor: Actor, cprHashes: string[]) {
  const closed = db
    .selectFrom("referral")
    .select(["id", "cprHash"])
    .where("cprHash", "in", cprHashes)
    .where("sentAt", "is not", null)
    .where("status", "=", CLOSED)
    .where("deletedAt", "is", null)
    .orderBy("id");
  return inScope(closed, actor, "sent").execute();
}

/** Whole names of the patients of referrals that an import's lines are about; staff see all of them. */
export async function findPatientNames(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, string>> {
  if (referralIds.length === 0) return new Map();
  const rows = await db
    .selectFrom("referral")
    .select(["id", "firstName", "lastName"])
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
    .selectFrom("visitAppointment")
    .selectAll()
    .where("referralId", "in", referralIds)
    .orderBy("date")
    .orderBy("id")
    .execute();
  return rows.map((row) => ({
    id: row.id,
    referralId: row.referralId,
    date: row.date,
    time: row.time,
    durationMinutes: row.durationMinutes,
    code: row.externalCode,
    isCancelled: row.isCancelled,
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
    durationMinutes: values.durationMinutes,
    treatment: values.treatment,
    externalCode: values.code,
    treatmentTypeId: values.treatmentTypeId,
    isCancelled: values.isCancelled,
    modifiedAt: toMoment(now),
  };
  markReferrals(tx, [referralId]);
  if (lineId === null) {
    const inserted = await tx
      .insertInto("visitAppointment")
      .values({ referralId, ...line })
      .executeTakeFirstOrThrow();
    return Number(inserted.insertId);
  }
  await tx
    .updateTable("visitAppointment")
    .set(values.isCancelled ? { isCancelled: true, modifiedAt: line.modifiedAt } : line)
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
      operationDate: next?.date ?? null,
      operationHour: hour ?? null,
      operationMinute: minute ?? null,
      operationDuration: next?.durationMinutes ?? null,
      ...(next ? { treatmentTypeId } : {}),
      surgeonId: surgeonId ?? undefined,
      modifierId,
      modifiedAt: toMoment(now),
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
    .selectFrom("treatmentType")
    .select([
      "id",
      "name",
      "externalAppointmentIds as externalCodes",
      "patientRecommendationLink as recommendationLink",
      "version",
    ])
    .where("deletedAt", "is", null)
    .where("id", "!=", UNKNOWN_TREATMENT)
    .orderBy("nameSort")
    .orderBy("id")
    .execute();
}

/** Name of a type, also a deleted one; null for none, 'Ukendt behandling' for -100. */
export async function treatmentTypeName(db: DbOrTx, id: number | null): Promise<string | null> {
  if (id === null) return null;
  if (id === UNKNOWN_TREATMENT) return "Ukendt behandling";
  return (
    (await db.selectFrom("treatmentType").select("name").where("id", "=", id).executeTakeFirst())?.name ??
    "Ukendt behandling"
  );
}

export async function findTreatment(
  db: DbOrTx,
  id: number | null,
): Promise<{ name: string; recommendationLink: string | null } | null> {
  if (id === null || id === UNKNOWN_TREATMENT) return null;
  const row = await db
    .selectFrom("treatmentType")
    .select(["name", "patientRecommendationLink as recommendationLink"])
    .where("id", "=", id)
    .executeTakeFirst();
  return row ?? null;
}

export async function insertTreatmentType(tx: Tx, name: string): Promise<number> {
  const row = await tx
    .insertInto("treatmentType")
    .values({
      name,
      nameSort: sortKey(name),
      externalAppointmentIds: "",
      patientRecommendationLink: null,
      deletedAt: null,
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
    .selectFrom("treatmentType")
    .select(["id", "name"])
    .where("deletedAt", "is not", null)
    .orderBy("id", "desc")
    .execute();
  const same = deleted.find((type) => searchKey(type.name) === searchKey(name));
  if (!same) return null;
  await tx
    .updateTable("treatmentType")
    .set((eb) => ({
      name,
      nameSort: sortKey(name),
      externalAppointmentIds: "",
      deletedAt: null,
      version: eb("version", "+", 1),
    }))
    .where("id", "=", same.id)
    .execute();
  return same.id;
}

export async function updateTreatmentType(
  tx: Tx,
  id: number,
  type: Omit<TreatmentType, "id" | "version"> & { seenVersion: number },
): Promise<boolean> {
  return changesAny(
    tx
      .updateTable("treatmentType")
      .set((eb) => ({
        name: type.name,
        nameSort: sortKey(type.name),
        externalAppointmentIds: type.externalCodes,
        patientRecommendationLink: type.recommendationLink,
        version: eb("version", "+", 1),
      }))
      .where("id", "=", id)
      .where("version", "=", type.seenVersion),
  );
}

export async function hideTreatmentType(tx: Tx, id: number, now: Date): Promise<void> {
  await tx
    .updateTable("treatmentType")
    .set({ deletedAt: toMoment(now) })
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
      .where("sentAt", "is not", null)
      .where("deletedAt", "is", null),
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
      cancellationDate: answer === "cancelled" ? at : null,
      confirmedAt: answer === "confirmed" ? at : null,
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
    .select(["operationDate", "operationHour", "operationMinute"])
    .where("id", "=", id)
    .executeTakeFirst();
  if (row === undefined) return false;
  const isSame =
    row.operationDate === day &&
    (day === null || ((row.operationHour ?? 0) === (hour ?? 0) && (row.operationMinute ?? 0) === (minute ?? 0)));
  if (isSame) return false;
  markReferrals(tx, [id]);
  await tx
    .updateTable("referral")
    .set({ cancellationDate: null, confirmedAt: null, operationSetAt: toMoment(now) })
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
      operationDate: time.day,
      operationHour: time.hour,
      operationMinute: time.minute,
      operationDuration: time.durationMinutes,
      surgeonId: time.surgeonId ?? undefined,
      cancellationDate: null,
      confirmedAt: toMoment(now),
      operationSetAt: toMoment(now),
      modifiedAt: toMoment(now),
      version: eb("version", "+", 1),
    }))
    .where("id", "=", id)
    .execute();
}
