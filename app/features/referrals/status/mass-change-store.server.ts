import type { Updateable } from "kysely";
import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ReferralTable } from "~db/schema";
import type { Actor } from "~/access/actor";
import { inScope, type ScopedReferralId } from "~/access/scope.server";
import type { FilterContext } from "~/lists/define-list.server";
import { filterCondition } from "~/lists/rows.server";
import { toMoment } from "~/text/dates";
import { filterRules, type OverviewFilter } from "~/features/referrals/list/filter-sql.server";
import { filters } from "~/features/referrals/list/filters";
import { DECLINED } from "~/features/referrals/model/statuses";
import { writtenWithStatus } from "../store/status-store.server";

/** Rows per statement. On SQLite others wait for each; 1,000 rows took 70 ms. */
const BATCH_SIZE = 200;

const columns = [
  "id",
  "statusVersion",
  "status",
  "statusSince",
  "referenceType",
  "triagedAt",
  "triageUrgency",
  "hasAnaesthesia",
  "referrerId",
  "sendNotificationToDentist",
] as const;

export async function lockReferrals(tx: Tx, actor: Actor, ids: number[]) {
  return inScope(
    forUpdate(tx, tx.selectFrom("referral").select(columns).where("id", "in", ids).orderBy("id")),
    actor,
    "sent",
  ).execute();
}

export async function lockByFilter(tx: Tx, filter: OverviewFilter, filterContext: FilterContext, max: number) {
  return inScope(
    forUpdate(
      tx,
      tx
        .selectFrom("referral")
        .select(columns)
        .where(filterCondition({ filters, rules: filterRules }, filter, filterContext))
        .limit(max),
    ),
    filterContext.actor,
    "sent",
  ).execute();
}

export type LockedReferral = Awaited<ReturnType<typeof lockReferrals>>[number];

export async function updateLockedStatuses(
  tx: Tx,
  ids: ScopedReferralId[],
  set: Updateable<ReferralTable>,
): Promise<void> {
  markReferrals(tx, ids);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    await tx
      .updateTable("referral")
      .set({ ...set, ...writtenWithStatus(set.status, set.statusSince as string) })
      .set((eb) => ({ statusVersion: eb("statusVersion", "+", 1) }))
      .where("id", "in", ids.slice(start, start + BATCH_SIZE))
      .execute();
  }
}

interface MassChange {
  userId: number;
  status: number;
  changed: LockedReferral[];
  leftOut: number[];
  mailWasWaiting: number[];
}

export async function insertMassChange(
  tx: Tx,
  { userId, status, changed, leftOut, mailWasWaiting }: MassChange,
  now: Date,
): Promise<number> {
  const head = {
    userId,
    at: toMoment(now),
    status,
    changed: changed.length,
    leftOut: leftOut.join(","),
    undoneAt: null,
  };
  const id = Number((await tx.insertInto("massChange").values(head).executeTakeFirstOrThrow()).insertId);
  const waiting = new Set(mailWasWaiting);
  for (let start = 0; start < changed.length; start += BATCH_SIZE) {
    const rows = changed.slice(start, start + BATCH_SIZE).map((row) => ({
      massChangeId: id,
      referralId: row.id,
      statusBefore: row.status,
      sinceBefore: row.statusSince,
      versionAfter: row.statusVersion + 1,
      triagedBefore: row.triagedAt,
      urgencyBefore: row.triageUrgency,
      hadAnaesthesia: row.hasAnaesthesia,
      mailWasWaiting: waiting.has(row.id),
    }));
    await tx.insertInto("massChangeRow").values(rows).execute();
  }
  return id;
}

export async function findMassChange(db: DbOrTx, userId: number, id: number) {
  return db.selectFrom("massChange").selectAll().where("id", "=", id).where("userId", "=", userId).executeTakeFirst();
}

/** Referrals of a mass change in scope with their present state, locked until the transaction ends. */
export async function lockChangedRows(tx: Tx, actor: Actor, id: number) {
  const rows = forUpdate(
    tx,
    tx
      .selectFrom("referral")
      .innerJoin("massChangeRow as was", "was.referralId", "referral.id")
      .select([
        "referral.id",
        "referral.statusVersion",
        "referral.status",
        "was.versionAfter",
        "was.statusBefore",
        "was.mailWasWaiting",
        "referral.referrerId",
        "referral.sendNotificationToDentist",
        "referral.closedBecause",
      ])
      .where("was.massChangeId", "=", id),
  );
  return inScope(rows, actor, "sent").execute();
}

export async function restoreStatuses(
  tx: Tx,
  id: number,
  referralIds: ScopedReferralId[],
  set: Updateable<ReferralTable>,
): Promise<void> {
  markReferrals(tx, referralIds);
  for (let start = 0; start < referralIds.length; start += BATCH_SIZE) {
    await tx
      .updateTable("referral")
      .set(set)
      .set((eb) => {
        const was = eb
          .selectFrom("massChangeRow")
          .where("massChangeId", "=", id)
          .whereRef("referralId", "=", "referral.id");
        return {
          status: was.select("statusBefore"),
          statusSince: was.select("sinceBefore"),
          triagedAt: was.select("triagedBefore"),
          triageUrgency: was.select("urgencyBefore"),
          hasAnaesthesia: was.select("hadAnaesthesia"),
          statusVersion: eb("statusVersion", "+", 1),
          notNeedTreatmentComment: eb
            .case()
            .when(was.select("statusBefore"), "=", DECLINED)
            .then(eb.ref("notNeedTreatmentComment"))
            .else(null)
            .end(),
        };
      })
      .where("id", "in", referralIds.slice(start, start + BATCH_SIZE))
      .execute();
  }
}

export async function markUndone(tx: Tx, id: number, leftOut: number[], now: Date): Promise<void> {
  await tx
    .updateTable("massChange")
    .set({ undoneAt: toMoment(now), leftOut: leftOut.join(",") })
    .where("id", "=", id)
    .execute();
}
