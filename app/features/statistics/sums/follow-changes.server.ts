import type { Tx } from "~db/connection.server";
import type { MarkedRows } from "~db/marked-rows.server";
import { contributionOf, type Entry } from "./contribution";
import {
  addToSums,
  findCounted,
  findReferralsOfMessages,
  holdGeneration,
  lockContributions,
  saveContributions,
} from "./store.server";

const BATCH_SIZE = 200;

/**
 * Updates the sums after a transaction changed referrals: adds the difference between new and stored contributions.
 * Runs last, because sum rows are shared and must be locked briefly.
 */
export async function followChanges(tx: Tx, { referrals, messages }: MarkedRows): Promise<void> {
  const ids = new Set([...referrals, ...(await findReferralsOfMessages(tx, [...messages]))]);
  const sorted = [...ids].sort((a, b) => a - b);
  if (sorted.length === 0) return;
  const generation = await holdGeneration(tx);
  const changes: { entry: Entry; by: number }[] = [];
  for (let start = 0; start < sorted.length; start += BATCH_SIZE) {
    const batch = sorted.slice(start, start + BATCH_SIZE);
    const before = await lockContributions(tx, batch, generation);
    const now = await findCounted(tx, batch);
    const changed = new Map<number, Entry[]>();
    for (const id of batch) {
      const referral = now.get(id);
      const [added, adds] = [before.get(id) ?? [], referral ? contributionOf(referral) : []];
      if (JSON.stringify(added) === JSON.stringify(adds)) continue;
      changed.set(id, adds);
      changes.push(...added.map((entry) => ({ entry, by: -1 })), ...adds.map((entry) => ({ entry, by: 1 })));
    }
    await saveContributions(tx, generation, changed);
  }
  await addToSums(tx, changes);
}
