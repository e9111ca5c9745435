import { type DbOrTx, forUpdate, type Tx } from "~db/connection.server";

/** The next referral of the recount; 0 when none runs. */
export async function findNextReferral(db: DbOrTx): Promise<number> {
  const state = db.selectFrom("statistics_state").select("value").where("name", "=", "nextReferral");
  return (await state.executeTakeFirstOrThrow()).value;
}

/** The same, locked until the transaction ends. */
export async function lockNextReferral(tx: Tx): Promise<number> {
  const state = tx.selectFrom("statistics_state").select("value").where("name", "=", "nextReferral");
  return (await forUpdate(tx, state).executeTakeFirstOrThrow()).value;
}

export async function saveNextReferral(tx: Tx, id: number): Promise<void> {
  await saveState(tx, "nextReferral", id);
}

/** Clears the sums and voids all contributions. Waits for pending changes. */
export async function beginGeneration(tx: Tx): Promise<void> {
  const state = tx.selectFrom("statistics_state").select("value").where("name", "=", "generation");
  const { value } = await forUpdate(tx, state).executeTakeFirstOrThrow();
  await saveState(tx, "generation", value + 1);
  await tx.deleteFrom("statistics_sum").execute();
}

export async function findReferralIds(tx: Tx, from: number, limit: number): Promise<number[]> {
  const rows = await tx
    .selectFrom("referral")
    .select("id")
    .where("id", ">=", from)
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

async function saveState(tx: Tx, name: "generation" | "nextReferral", value: number): Promise<void> {
  await tx.updateTable("statistics_state").set({ value }).where("name", "=", name).execute();
}
