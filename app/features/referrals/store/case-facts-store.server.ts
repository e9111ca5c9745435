import type { DbOrTx } from "~db/connection.server";
import { localDate } from "~/text/dates";
import type { ClosingReason } from "../model/closing";
import { operationMoment } from "../model/operation-moment";
import { hasBegun } from "../model/operation-start.server";
import type { CaseFacts } from "../model/status-sentence.server";
import { isHeldOn, saysTold } from "../model/status";
import { AWAITING_MATERIAL, CANCELLED_BY_SMS, CLOSED, IN_TREATMENT, TU } from "../model/statuses";
import { isDowngraded } from "../model/triage";
import { countMissing } from "./material-store.server";
import { findToldPatients } from "./told-patients-store.server";

/** Statuses whose sentence depends on whether there was a time. */
const OF_TIMES = [IN_TREATMENT, TU, CLOSED];

/** What is true of each case, for the sentences of `statusSentence`; the caller limits the number of referrals. */
export async function findCaseFacts(db: DbOrTx, ids: readonly number[], now: Date): Promise<Map<number, CaseFacts>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("referral")
    .select([
      "id",
      "status",
      "holdUntil",
      "operationDate",
      "operationHour",
      "operationMinute",
      "cancellationDate",
      "closedBecause",
      "referenceType",
      "triageUrgency",
    ])
    .where("id", "in", ids)
    .execute();
  const idsIn = (isMeant: (status: number) => boolean) => rows.flatMap(({ id, status }) => (isMeant(status) ? id : []));
  const [told, lacking, firstDays] = await Promise.all([
    findToldPatients(db, idsIn(saysTold)),
    countMissing(
      db,
      idsIn((status) => status === AWAITING_MATERIAL),
    ),
    findFirstDays(
      db,
      idsIn((status) => OF_TIMES.includes(status)),
    ),
  ]);
  const today = localDate(now);
  return new Map(
    rows.map((row) => {
      const moment = row.cancellationDate === null && row.status !== CANCELLED_BY_SMS ? operationMoment(row) : null;
      const firstDay = firstDays.get(row.id);
      return [
        row.id,
        {
          isTold: told.has(row.id),
          hasTime: moment !== null || firstDay !== undefined,
          wasSeen: (moment !== null && hasBegun(moment, now)) || (firstDay !== undefined && firstDay < today),
          isHeld: isHeldOn(row, today),
          isAsked: lacking.has(row.id),
          closedBecause: row.closedBecause as ClosingReason | null,
          isDowngraded: isDowngraded(row),
        },
      ];
    }),
  );
}

/** The first day of each plan, `YYYY-MM-DD`, without cancelled times. */
async function findFirstDays(db: DbOrTx, ids: readonly number[]): Promise<Map<number, string>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("visitAppointment")
    .select((eb) => ["referralId", eb.fn.min("date").as("day")])
    .where("referralId", "in", ids)
    .where("isCancelled", "=", false)
    .groupBy("referralId")
    .execute();
  return new Map(rows.map(({ referralId, day }) => [referralId, day]));
}
