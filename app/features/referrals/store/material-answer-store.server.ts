import type { DbOrTx, Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { ScopedReferralId } from "~/access/scope.server";
import type { Secrets } from "~/access/secrets.server";
import type { MaterialAnswer } from "~/features/referrals/material/material-kinds";
import { AWAITING_MATERIAL, AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { toMoment } from "~/text/dates";
import { type MaterialLine, type MaterialRequest, wordsColumns } from "./material-store.server";

/** Closes an open line; false if it was closed. */
export async function answerLine(
  tx: Tx,
  lineId: number,
  answer: Exclude<MaterialAnswer, "open">,
  by: { personId: number | null; now: Date },
): Promise<boolean> {
  const answered = await tx
    .updateTable("material_line")
    .set({ answer, answered_by: by.personId, answered_at: toMoment(by.now) })
    .where("id", "=", lineId)
    .where("answer", "=", "open")
    .executeTakeFirst();
  return answered.numUpdatedRows > 0n;
}

/** Stores why the referrer does not have it. */
export async function updateLineReply(tx: Tx, secrets: Secrets, line: MaterialLine, reply: string): Promise<void> {
  await tx
    .updateTable("material_line")
    .set(wordsColumns(secrets, { text: line.text, reply }))
    .where("id", "=", line.id)
    .execute();
}

/** Marks that a file arrived while others are unfinished; the job settles the line later. */
export async function markLineBegun(tx: Tx, lineId: number, now: Date): Promise<void> {
  await tx
    .updateTable("material_line")
    .set({ first_file_at: toMoment(now) })
    .where("id", "=", lineId)
    .where("first_file_at", "is", null)
    .execute();
}

/** Open lines that got a file before a moment, with their referrals. */
export function findBegunLines(
  db: DbOrTx,
  before: Date,
  limit: number,
): Promise<{ lineId: number; referralId: number }[]> {
  return db
    .selectFrom("material_line as line")
    .innerJoin("material_request as request", "request.id", "line.request_id")
    .select(["line.id as lineId", "request.referral_id as referralId"])
    .where("line.answer", "=", "open")
    .where("line.first_file_at", "<", toMoment(before))
    .orderBy("line.first_file_at")
    .limit(limit)
    .execute();
}

/** Returns a referral without open lines to triage at the top, once. False if it no longer awaits material. */
export async function returnToTriage(
  tx: Tx,
  referralId: ScopedReferralId,
  request: Pick<MaterialRequest, "id" | "statusSince">,
  now: Date,
): Promise<boolean> {
  const at = toMoment(now);
  const open = await tx
    .selectFrom("material_line")
    .select("id")
    .where("request_id", "=", request.id)
    .where("answer", "=", "open")
    .limit(1)
    .executeTakeFirst();
  if (open) return false;
  const recalled = await tx
    .updateTable("referral")
    .set((eb) => ({
      status: AWAITING_TRIAGE,
      status_since: at,
      recalled_at: at,
      status_version: eb("status_version", "+", 1),
    }))
    .where("id", "=", referralId)
    .where("status", "=", AWAITING_MATERIAL)
    .where("status_since", "=", request.statusSince)
    .executeTakeFirst();
  if (recalled.numUpdatedRows === 0n) return false;
  await tx.updateTable("material_request").set({ completed_at: at }).where("id", "=", request.id).execute();
  markReferrals(tx, [referralId]);
  return true;
}
