import { change, type ChangeContext, read, ofReferral } from "~/access/operation.server";
import { raiseAlarm } from "~/features/urgent-alarm/alarm-store.server";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import {
  countAwaited,
  deleteAwaitedSending,
  findAwaitedSending,
  findAwaitingDrafts,
  findUrgentDrafts,
  refreshAwaitedFiles,
} from "~/features/referrals/store/wizard-store.server";
import {
  findInWizard,
  lockReferralRow,
  markSent,
  type ReferralRow,
} from "~/features/referrals/store/referral-store.server";
import {
  countArriving,
  findRefusedAwaited,
  markAwaited,
  type RefusedFile,
} from "~/files/staging/awaited-upload-store.server";
import { paths } from "~/paths";
import { fullName } from "~/text/names";
import { type DbOrTx, idsOf } from "~db/connection.server";
import { judgeSentName } from "~/features/referrals/details/same-person.server";
import { planExports } from "~/features/referrals/archive/plan-exports.server";
import { invalidateCounts } from "~/features/referrals/list/read-queues.server";
import { AWAITING_TRIAGE } from "~/features/referrals/model/statuses";
import { notReceivedText } from "~/features/referrals/model/missing-texts";
import { insertVisitLog } from "~/features/referrals/store/visit-log-store.server";
import { UPLOADED_NOW, URGENT } from "~/features/referrals/model/referral";
import { findFileNames, findFiles, lockRadiographs } from "~/features/referrals/store/referral-file-store.server";
import { decideSending } from "../model/sending-rules";

/**
 * 'Fortryd afsendelsen': keeps the draft when its files arrive. Throws `alreadySent` if it was sent meanwhile, and
 * `notInScope`.
 */
export const takeBackSending = change({
  name: "takeBackSending",
  permission: "referral.write",
  input: ofReferral,
  async run(context, { referralId }) {
    await lockReferralRow(context.tx, referralId);
    const { id, sentAt } = await findInWizard(context.tx, context.person, referralId);
    if (sentAt !== null) throw new Refusal("alreadySent", { to: paths.referral(id) });
    await withdrawSending(context, id);
    context.auditChange([id]);
    return {
      to: paths.wizardStep(id, 3),
      flash: { tone: "info", text: `Afsendelsen er fortrudt. Kladde nr. ${id} er ikke sendt.` },
    };
  },
});

/** Withdraws the submission within another change, such as deletion; returns whether it waited. */
export async function withdrawSending(
  { tx }: Pick<ChangeContext, "tx">,
  referralId: ScopedReferralId,
): Promise<boolean> {
  const wasWaiting = await deleteAwaitedSending(tx, referralId);
  if (wasWaiting) await markAwaited(tx, referralId, null);
  return wasWaiting;
}

/** Files a waiting draft lacks, and when it is sent without them (ISO 8601). Null if it does not wait. */
export async function awaitingOf(
  db: DbOrTx,
  { id }: { id: ScopedReferralId },
): Promise<{ files: number; dueAt: string } | null> {
  const awaited = await findAwaitedSending(db, id);
  if (awaited === null) return null;
  return { files: (await countAwaited(db, [id])).get(id) ?? 0, dueAt: awaited.dueAt.toISOString() };
}

export const awaitedFilesOf = countAwaited;

const MAX_NAMED = 5;

/**
 * Drafts in scope that will be sent automatically, and urgent ones that nobody has sent; shown wherever referrals are
 * listed.
 */
export const readAwaiting = read({
  name: "readAwaiting",
  permission: "referral.write",
  async run({ db, person, auditRead }) {
    const rows = await findAwaitingDrafts(db, person, MAX_NAMED + 1);
    const named = rows.slice(0, MAX_NAMED);
    const urgent = (await findUrgentDrafts(db, person, MAX_NAMED)).map((row) => ({
      id: row.id,
      name: fullName(row),
      begunAt: row.createDate,
      step: row.availableStep,
    }));
    auditRead(idsOf([...named, ...urgent]));
    const files = await countAwaited(db, idsOf(named));
    return {
      urgent,
      hasMore: rows.length > named.length,
      drafts: named.map((row) => ({ id: row.id, name: fullName(row), files: files.get(row.id) ?? 0 })),
    };
  },
});

type SendingContext = Pick<ChangeContext, "tx" | "actor" | "now" | "outbox" | "portal" | "afterCommit">;

/**
 * Turns a draft into a referral, once. The only function that does. Refused files are logged. False if it was sent
 * before.
 */
export async function sendDraft(
  context: SendingContext,
  referral: ReferralRow,
  { radiographsSendType, personId }: { radiographsSendType: number; personId: number },
): Promise<boolean> {
  const { tx, actor, now } = context;
  const isFirst = await markSent(tx, referral.id, { radiographsSendType, personId, now });
  await deleteAwaitedSending(tx, referral.id);
  if (isFirst) {
    await refreshAwaitedFiles(tx, referral.id);
    await judgeSentName(context, referral);
    const events = ["Henvisningen er modtaget", ...(await findRefusedAwaited(tx, [referral.id])).map(notReceivedText)];
    await insertVisitLog(
      tx,
      actor,
      events.map((event) => ({ referralId: referral.id, status: AWAITING_TRIAGE, event })),
      now,
    );
    if (referral.referenceType === URGENT && !referral.isTest)
      await raiseAlarm(tx, { referralId: referral.id, cause: "referral" }, now);
    await context.portal.referralHooks.sendCaseLink(context, referral);
  }
  await planExports(context, referral, { which: "new" });
  invalidateCounts(context);
  return isFirst;
}

/**
 * Sends a waiting draft if no file is missing. Called in the transaction in which a file arrived, was refused or
 * removed, and by the job. Concurrent calls wait for each other, so that one sees the last file. Returns whether it was
 * sent.
 */
export async function sendIfComplete(context: SendingContext, referral: ReferralRow): Promise<boolean> {
  const { tx, now } = context;
  if (referral.sentAt !== null) return false;
  await lockRadiographs(tx, referral.id);
  const awaited = await findAwaitedSending(tx, referral.id);
  if (awaited === null) return false;
  const decision = decideSending({
    isUrgent: referral.referenceType === URGENT,
    isDue: now >= awaited.dueAt,
    ...(await countThere(context, referral)),
  });
  if (decision === "wait") return false;
  return sendDraft(context, referral, { radiographsSendType: UPLOADED_NOW, personId: awaited.requestedBy });
}

/**
 * After a file was removed: a waiting draft may be complete. If nothing is left to send, the submission is withdrawn;
 * returns whether it was.
 */
export async function settleRemoval(context: SendingContext, referral: ReferralRow): Promise<boolean> {
  if (referral.sentAt !== null) {
    await refreshAwaitedFiles(context.tx, referral.id);
    return false;
  }
  await lockRadiographs(context.tx, referral.id);
  const { unfinished, images } = await countThere(context, referral);
  if (unfinished + images === 0) return withdrawSending(context, referral.id);
  await sendIfComplete(context, referral);
  return false;
}

const countThere = async ({ tx }: SendingContext, { id }: ReferralRow) => ({
  unfinished: await countArriving(tx, id),
  images: (await findFiles(tx, id)).filter(({ kind }) => kind === "radiograph").length,
});

/** Files missing since sending, by referral, unless one of that name arrived; complete referrals are left out. */
export async function findNotReceived(db: DbOrTx, referralIds: readonly number[]): Promise<Map<number, RefusedFile[]>> {
  const refused = await findRefusedAwaited(db, referralIds);
  const names = await findFileNames(db, [...new Set(refused.map(({ referralId }) => referralId))]);
  const isThere = ({ referralId, fileName }: (typeof refused)[number]) =>
    names.some((file) => file.referralId === referralId && file.fileName.toLowerCase() === fileName.toLowerCase());
  const missing = new Map<number, RefusedFile[]>();
  for (const { referralId, ...file } of refused.filter((each) => !isThere(each)))
    missing.set(referralId, [...(missing.get(referralId) ?? []), file]);
  return missing;
}
