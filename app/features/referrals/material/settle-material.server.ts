import { subHours } from "date-fns";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { change, type ChangeContext, execute, plainInput, read } from "~/access/operation.server";
import { hasAccount } from "~/access/actor";
import type { ScopedReferralId } from "~/access/scope.server";
import { invalidateCounts } from "~/features/referrals/list/invalidate-counts.server";
import { AWAITING_MATERIAL, AWAITING_TRIAGE } from "~/features/referrals/model/status";
import { MAX_WAIT_HOURS } from "~/features/referrals/sending/sending-rules";
import {
  answerLine,
  findBegunLines,
  markLineBegun,
  returnToTriage,
} from "~/features/referrals/store/material-answer-store.server";
import { countArrivingForLines, findMaterialRequest } from "~/features/referrals/store/material-store.server";
import { lockRadiographs } from "~/features/referrals/store/radiograph-store.server";
import { findFiles } from "~/features/referrals/store/referral-file-store.server";
import { findReferral } from "~/features/referrals/store/referral-store.server";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import type { Portal } from "~/portal.server";

export type SettlingContext = Pick<ChangeContext, "tx" | "actor" | "now" | "portal" | "afterCommit">;

/**
 * Updates a line after a file for it arrived, was refused or removed, in the same transaction: answered when it has
 * files and none is unfinished. `isLate` ignores unfinished ones. Concurrent calls wait for each other, so that one
 * sees the last file.
 */
export async function settleLine(
  context: SettlingContext,
  referralId: ScopedReferralId,
  lineId: number,
  { isLate = false } = {},
): Promise<void> {
  const { tx, actor, now } = context;
  await lockRadiographs(tx, referralId);
  const files = await findFiles(tx, referralId);
  if (!files.some((file) => file.materialLineId === lineId)) return;
  const arriving = await countArrivingForLines(tx, [lineId]);
  if (arriving.size > 0 && !isLate) return markLineBegun(tx, lineId, now);
  if (await answerLine(tx, lineId, "files", { personId: hasAccount(actor) ? actor.id : null, now }))
    await recallIfAnswered(context, referralId);
}

/** When no line is open, returns the referral to triage at the top. The caller has locked its row. */
export async function recallIfAnswered(context: SettlingContext, referralId: ScopedReferralId): Promise<void> {
  const { tx, actor, now, portal } = context;
  const row = await findReferral(tx, actor, referralId);
  const request = row.status === AWAITING_MATERIAL ? await findMaterialRequest(tx, portal.secrets, row) : null;
  if (request === null || !(await returnToTriage(tx, row.id, request, now))) return;
  const event = request.lines.some(({ answer }) => answer === "files")
    ? "Materiale modtaget"
    : "Henviseren har ikke materialet";
  await insertVisitLog(tx, actor, [{ referralId: row.id, status: AWAITING_TRIAGE, event }], now);
  invalidateCounts(context);
}

/** Per kind and run of the job. */
const MAX_PER_RUN = 100;

/** Lines that have waited too long for further files. */
export const listLateMaterial = read({
  name: "material.listLate",
  permission: "system",
  input: z.object({}),
  run: ({ db, now }) => findBegunLines(db, subHours(now, MAX_WAIT_HOURS), MAX_PER_RUN),
});

/** Settles a late line with the files that arrived. */
export const settleLateMaterial = change({
  name: "material.settleLate",
  permission: "system",
  input: z.object({ lineId: z.number().int(), referralId: z.number().int() }),
  async run(context, { lineId, referralId }) {
    const referral = await findReferral(context.tx, context.actor, referralId);
    await settleLine(context, referral.id, lineId, { isLate: true });
    context.auditChange([referral.id], `material line ${lineId}`);
    return {};
  },
});

/** Job: an unfinished upload must not block a referral for ever. */
export async function settleLateMaterials(portal: Portal, caller: Caller): Promise<void> {
  for (const line of await execute(portal, caller, listLateMaterial, plainInput({})))
    await execute(portal, caller, settleLateMaterial, plainInput(line)).catch((error: unknown) =>
      portal.log.error({ err: error }, "material that waits for the rest of its files"),
    );
}
