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

/** That a draft waits to be sent, for how many files, and until when: then it goes without them (ISO 8601). Null for one that does not. */
export async function awaitingOf(
  db: DbOrTx,
  { id }: { id: ScopedReferralId },
): Promise<{ files: number; dueAt: string } | null> {
  const awaited = await findAwaitedSending(db, id);
  if (awaited === null) return null;
  return { files: (await countAwaited(db, [id])).get(id) ?? 0, dueAt: awaited.dueAt.toISOString() };
}

/** Of a page of drafts: for how many files each of those waits that is to be sent. */
export const awaitedFilesOf = countAwaited;

/** So many are named; there may be more. */
const MAX_NAMED = 5;

/** The drafts in the actor's scope that will be sent by themselves: said wherever referrals are listed, from the first minute. */
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
