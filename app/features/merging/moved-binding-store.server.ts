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
    runId,
    place: PLACE,
    rowId: winnerId,
    fromId: moved.userId,
    detail,
    outcome: "moved" as const,
  };
  await tx.insertInto("mergeMoved").values(row).execute();
  return true;
}

/** Gives the account back on an undo, unless the winner has got another one since. */
export async function revertBinding(tx: Tx, { id, winnerId }: Pick<MergeRun, "id" | "winnerId">) {
  const row = await tx
    .selectFrom("mergeMoved")
    .select(["fromId", "detail"])
    .where("runId", "=", id)
    .where("place", "=", PLACE)
    .where("outcome", "=", "moved")
    .executeTakeFirst();
  if (!row) return;
  const [standing] = await findBindings(tx, [winnerId]);
  const withName = row.detail!.endsWith(" named");
  const isSame = standing!.subject !== null && markOf(standing!, withName) === row.detail;
  if (isSame) await passBinding(tx, { from: standing!, to: row.fromId, withName });
  await tx
    .updateTable("mergeMoved")
    .set({ outcome: isSame ? "back" : "left" })
    .where("runId", "=", id)
    .where("place", "=", PLACE)
    .execute();
}
