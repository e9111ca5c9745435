import { z } from "zod";
import { read } from "~/access/operation.server";
import type { ScopedReferralId } from "~/access/scope.server";
import {
  countAwaited,
  findAwaitedSending,
  findAwaitingDrafts,
} from "~/features/referrals/store/awaited-sending-store.server";
import { fullName } from "~/text/names";
import type { DbOrTx } from "~db/connection.server";

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
