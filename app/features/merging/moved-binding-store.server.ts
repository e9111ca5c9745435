import { createHash } from "node:crypto";
import type { Tx } from "~db/connection.server";
import { type BoundAccount, findBindings, passBinding } from "~/features/accounts/external-identity-store.server";
import type { MergeRun } from "./merge-run-store.server";

const PLACE = "user.external_subject";

/** Recognises the account on an undo; with the name where that moved too. */
const markOf = ({ issuer, subject }: BoundAccount, hasName: boolean) =>
  createHash("sha256").update(`${issuer} ${subject}`).digest("hex").slice(0, 12) + (hasName ? " named" : "");

/**
 * Gives the winner a loser's account at the identity provider, unless it has one of its own: with that account alone
 * nobody could sign in any more. Returns whether one was moved.
 */
export async function moveBinding(tx: Tx, runId: number, winnerId: number, loserIds: number[]): Promise<boolean> {
  const bindings = await findBindings(tx, [winnerId, ...loserIds]);
  const own = bindings.find(({ userId }) => userId === winnerId);
  const moved = bindings.find(({ userId, subject }) => userId !== winnerId && subject !== null);
  if (own === undefined || own.subject !== null || moved === undefined) return false;
  const withName = own.name === null && moved.name !== null;
  await passBinding(tx, { from: moved, to: winnerId, withName });
  const detail = markOf(moved, withName);
  const row = {
    run_id: runId,
    place: PLACE,
    row_id: winnerId,
    from_id: moved.userId,
    detail,
    outcome: "moved" as const,
  };
  await tx.insertInto("merge_moved").values(row).execute();
  return true;
}

/** Gives the account back on an undo, unless the winner has got another one since. */
export async function revertBinding(tx: Tx, { id, winner_id: winnerId }: Pick<MergeRun, "id" | "winner_id">) {
  const row = await tx
    .selectFrom("merge_moved")
    .select(["from_id", "detail"])
    .where("run_id", "=", id)
    .where("place", "=", PLACE)
    .where("outcome", "=", "moved")
    .executeTakeFirst();
  if (!row) return;
  const [standing] = await findBindings(tx, [winnerId]);
  const withName = row.detail!.endsWith(" named");
  const isSame = standing!.subject !== null && markOf(standing!, withName) === row.detail;
  if (isSame) await passBinding(tx, { from: standing!, to: row.from_id, withName });
  await tx
    .updateTable("merge_moved")
    .set({ outcome: isSame ? "back" : "left" })
    .where("run_id", "=", id)
    .where("place", "=", PLACE)
    .execute();
}
