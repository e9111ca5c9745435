import { z } from "zod";
import type { DbOrTx, Tx } from "~db/connection.server";
import type { MarkedRows } from "~db/marked-rows.server";
import type { Person } from "~/access/actor";
import { can } from "~/access/permissions";
import { localDate } from "~/text/dates";
import { change, type ChangeContext, succeeded, wholeNumber } from "~/access/operation.server";
import { rowIdIn } from "~/access/edit.server";
import { Refusal } from "~/access/refusal";
import { operationMoment, showMoment } from "../model/operation-moment";
import { timeToCome } from "../model/operation-start.server";
import { tellUntil } from "../model/told-time.server";
import { invalidateCounts } from "../list/read-queues.server";
import { lockReferral, type ReferralRow } from "../store/referral-store.server";
import { findPlannedTimes, findToldTimes, insertToldTime, saveTellUntil } from "../store/told-time-store.server";
import { logWithoutStatus } from "../store/visit-log-store.server";

const BATCH_SIZE = 200;

/**
 * Writes by which day patients must be told another time than they were, before a transaction that has changed a
 * referral or its told times commits. So nothing that writes a time has to know of it.
 */
export async function followToldTimes(tx: Tx, { referrals }: MarkedRows, now: Date): Promise<void> {
  const ids = [...referrals].sort((a, b) => a - b);
  for (let start = 0; start < ids.length; start += BATCH_SIZE) {
    const told = await findToldTimes(tx, ids.slice(start, start + BATCH_SIZE));
    if (told.size === 0) continue;
    for (const row of await findPlannedTimes(tx, [...told.keys()])) {
      const last = tellUntil(row, told.get(row.id), now);
      if (last !== row.tellUntil) await saveTellUntil(tx, row.id, last);
    }
  }
}

/** Notes that the patient knows the planned time, or that it is cancelled. `row` is locked. */
export async function notePlannedTime(
  { tx, now }: Pick<ChangeContext, "tx" | "now">,
  row: Parameters<typeof timeToCome>[0] & { id: number },
  how: "phone" | "known" | "clinic",
): Promise<void> {
  const moment = timeToCome(row, now);
  // By phone the patient may have got a time that the plan does not have yet.
  const knowsNone = moment === null && how !== "phone";
  await insertToldTime(tx, { referralId: row.id, moment, how: knowsNone ? "cancelled" : how }, now);
}

/** What the patient was told and what the plan has, where somebody must tell them; null where nobody must, and to others than staff. */
export async function timeToTellOf(db: DbOrTx, person: Person, row: ReferralRow, now: Date) {
  if (!can(person, "patientMessage.send") || row.tellUntil === null || row.tellUntil < localDate(now)) return null;
  const told = (await findToldTimes(db, [row.id])).get(row.id);
  return told === undefined ? null : { told, planned: timeToCome(row, now), seen: operationMoment(row) ?? "" };
}

/** 'Patienten ved det'. Throws `conflict` if the time has moved since it was shown or nothing is to be told, and `notInScope`. */
export const confirmToldTime = change({
  name: "confirmToldTime",
  permission: "patientMessage.send",
  edit: {
    read: async () => ({ values: {} }),
    sees: {
      async read({ db, actor }, field) {
        return { planned: operationMoment(await lockReferral(db, actor, rowIdIn(field("referralId")))) ?? "" };
      },
      async movedText() {
        return "Tiden er ændret, siden du åbnede siden. Se den nye tid, og tryk igen.";
      },
    },
  },
  input: z.object({ referralId: wholeNumber }),
  async run(context, { referralId }) {
    const { tx, actor, auditChange } = context;
    const row = await lockReferral(tx, actor, referralId);
    if (row.tellUntil === null) throw new Refusal("conflict", { text: "Patienten har fået besked om tiden." });
    const planned = timeToCome(row, context.now);
    await notePlannedTime(context, row, "known");
    const what = planned === null ? "at tiden er aflyst" : `at tiden er ${showMoment(planned)}`;
    await logWithoutStatus(context, row.id, `Patienten ved, ${what}`);
    auditChange([row.id], "patient knows the time");
    invalidateCounts(context);
    return succeeded(`Patienten ved, ${what}.`);
  },
});
