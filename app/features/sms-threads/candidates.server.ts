import type { DbOrTx } from "~db/connection.server";
import { CLOSED, DECLINED } from "~/features/referrals/model/status";
import { operationMoment } from "~/features/referrals/model/operation-moment";
import type { Secrets } from "~/access/secrets.server";
import { toE164 } from "~/text/phone";
import { fullName } from "~/text/names";
import type { AnswerCandidate } from "./answer-placement";
import { findReferralsWrittenTo } from "./sms-thread-store.server";

/** Referrals an answer from a number (E.164) may belong to, most recently written to first. */
export async function findCandidates(
  db: DbOrTx,
  secrets: Secrets,
  from: string,
  now: Date,
): Promise<(AnswerCandidate & { name: string })[]> {
  const rows = await findReferralsWrittenTo(db, secrets.lookups("phone", from), now);
  return rows.map((row) => {
    const moment = operationMoment(row);
    return {
      referralId: row.id,
      lastMessageId: Number(row.last_message_id),
      // A day without an hour lasts until it ends.
      operationMoment: moment !== null && row.operation_hour === null ? `${row.operation_date} 23:59` : moment,
      isOpen: row.status !== CLOSED && row.status !== DECLINED,
      hasNumber: row.mobile_phone !== null && toE164(row.mobile_phone) === from,
      person: row.cpr_hash ?? row.id,
      name: fullName(row),
    };
  });
}
