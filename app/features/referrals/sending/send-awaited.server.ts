import { subDays } from "date-fns";
import { z } from "zod";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import { trustedReferral } from "~/access/scope.server";
import { finishAwaitedUpload } from "~/features/referrals/images/finish-upload.server";
import {
  deleteAwaitedSending,
  findAwaiting,
  refreshAwaitedFiles,
} from "~/features/referrals/store/wizard-store.server";
import { findEditable, findReferral } from "~/features/referrals/store/referral-store.server";
import { logEvent } from "~/features/referrals/store/visit-log-store.server";
import { findLateAwaited, findWholeAwaited, giveUpUpload } from "~/files/staging/awaited-upload-store.server";
import { removePartial } from "~/files/staging/upload-part-store.server";
import { NEVER_CAME, notReceivedText } from "~/features/referrals/model/missing-texts";
import type { Portal } from "~/portal.server";
import { sendIfComplete } from "./operations.server";
import { MAX_LATE_DAYS } from "../model/sending-rules";

const MAX_PER_RUN = 100;

/** Work of the job: unfinished uploads, waiting drafts, and files no longer awaited. */
export const listAwaited = read({
  name: "sendings.listAwaited",
  permission: "system",
  async run({ db, now }) {
    return {
      wholeUploads: await findWholeAwaited(db, MAX_PER_RUN),
      drafts: await findAwaiting(db, MAX_PER_RUN),
      lateUploads: await findLateAwaited(db, subDays(now, MAX_LATE_DAYS), MAX_PER_RUN),
    };
  },
});

/** Sends a waiting draft that is complete or overdue; skips deleted and sent ones. */
export const sendAwaited = change({
  name: "sendings.sendAwaited",
  permission: "system",
  input: z.object({ referralId: z.number().int() }),
  async run(context, { referralId }) {
    const { tx, actor, auditChange } = context;
    if (actor.kind !== "system") throw new Refusal("notAllowed");
    const referral = await findEditable(tx, actor, referralId).catch(() => null);
    if (referral?.sentAt === null) {
      if (await sendIfComplete(context, referral)) auditChange([referral.id]);
    } else await deleteAwaitedSending(tx, trustedReferral(referralId));
    return {};
  },
});

export const giveUpAwaited = change({
  name: "sendings.giveUpAwaited",
  permission: "system",
  input: z.object({ uploadId: z.string(), referralId: z.number().int(), fileName: z.string() }),
  async run(context, { uploadId, referralId, fileName }) {
    const { tx, actor, portal, auditChange, afterCommit } = context;
    afterCommit(() => removePartial(portal, uploadId));
    await giveUpUpload(tx, uploadId, NEVER_CAME);
    const referral = await findReferral(tx, actor, referralId).catch(() => null);
    if (referral === null) return {};
    await refreshAwaitedFiles(tx, referral.id);
    await logEvent(context, referral, notReceivedText({ fileName, refusal: NEVER_CAME, isPartlyReceived: false }));
    auditChange([referral.id], `upload ${uploadId}`);
    return {};
  },
});

/** Job: finishes, sends and gives up in separate transactions, so that a failure does not stop the others. */
export async function sendAwaitedReferrals(portal: Portal, caller: Caller): Promise<void> {
  const { wholeUploads, drafts, lateUploads } = await execute(portal, caller, listAwaited);
  const tasks = [
    ...wholeUploads.map((uploadId) => () => execute(portal, caller, finishAwaitedUpload, plainInput({ uploadId }))),
    ...drafts.map((referralId) => () => execute(portal, caller, sendAwaited, plainInput({ referralId }))),
    ...lateUploads.map(
      ({ id, ...of }) =>
        () =>
          execute(portal, caller, giveUpAwaited, plainInput({ uploadId: id, ...of })),
    ),
  ];
  for (const task of tasks)
    await task().catch((error: unknown) => portal.log.error({ err: error }, "a referral that waits for its files"));
}
