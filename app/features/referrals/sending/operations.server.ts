import { z } from "zod";
import { change, type ChangeContext, read } from "~/access/operation.server";
import { Refusal } from "~/access/refusal";
import type { ScopedReferralId } from "~/access/scope.server";
import {
  countAwaited,
  deleteAwaitedSending,
  findAwaitedSending,
  findAwaitingDrafts,
} from "~/features/referrals/store/awaited-sending-store.server";
import { findInWizard } from "~/features/referrals/store/referral-store.server";
import { markAwaited } from "~/files/staging/awaited-upload-store.server";
import { paths } from "~/paths";
import { fullName } from "~/text/names";
import type { DbOrTx } from "~db/connection.server";

/**
 * 'Fortryd afsendelsen': keeps the draft when its files arrive. Throws `alreadySent` if it was sent meanwhile, and
 * `notInScope`.
 */
export const takeBackSending = change({
  name: "takeBackSending",
  permission: "referral.write",
  input: z.object({ referralId: z.coerce.number().int() }),
  async run(context, { referralId }) {
    const { id, sent_at: sentAt } = await findInWizard(context.tx, context.person, referralId);
    if (sentAt !== null) throw new Refusal("alreadySent", { to: paths.referral(id) });
    await withdrawSending(context, id);
    context.auditChange([id]);
    return {
      to: paths.wizardStep(id, 3),
      flash: { tone: "info" as const, text: `Afsendelsen er fortrudt. Kladde nr. ${id} er ikke sendt.` },
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

/** Drafts named in the notice. */
const MAX_NAMED = 5;

/** Drafts in scope that will be sent automatically; shown wherever referrals are listed. */
export const readAwaiting = read({
  name: "readAwaiting",
  permission: "referral.write",
  input: z.object({}),
  async run({ db, person, auditRead }) {
    const rows = await findAwaitingDrafts(db, person, MAX_NAMED + 1);
    const named = rows.slice(0, MAX_NAMED);
    auditRead(named.map(({ id }) => id));
    const files = await countAwaited(
      db,
      named.map(({ id }) => id),
    );
    return {
      hasMore: rows.length > named.length,
      drafts: named.map((row) => ({ id: row.id, name: fullName(row), files: files.get(row.id) ?? 0 })),
    };
  },
});
