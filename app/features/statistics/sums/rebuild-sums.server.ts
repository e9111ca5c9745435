import type { Tx } from "~db/connection.server";
import { markReferrals, type MarkedRows } from "~db/marked-rows.server";
import type { Caller } from "~/access/caller";
import { change, execute, read } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import {
  beginGeneration,
  findNextReferral,
  findReferralIds,
  lockNextReferral,
  saveNextReferral,
  addToSums,
  findCounted,
  findReferralsOfMessages,
  holdGeneration,
  lockContributions,
  saveContributions,
} from "./store.server";
import { contributionOf, type Entry } from "./contribution";

const BATCH_SIZE = 100;

/** Whether a recount is unfinished; asked by an idle worker, because it writes no audit row. */
export const readRecount = read({
  name: "statistics.readRecount",
  permission: "system",
  async run({ db }) {
    return { isGoingOn: (await findNextReferral(db)) !== 0 };
  },
});

/** Begins a recount into a new generation, shown when it is complete; does nothing while one is under way. */
export const beginRecount = change({
  name: "statistics.beginRecount",
  permission: "system",
  async run({ tx }) {
    if ((await lockNextReferral(tx)) !== 0) return {};
    await beginGeneration(tx);
    await saveNextReferral(tx, 1);
    return {};
  },
});

export const recountAll = (tx: Tx) => saveNextReferral(tx, 1);

/**
 * Recounts the next referrals by id. Concurrent changes are counted by their own transaction; counting twice adds
 * nothing.
 */
export const countReferrals = change({
  name: "statistics.countReferrals",
  permission: "system",
  async run({ tx }) {
    const next = await lockNextReferral(tx);
    if (next === 0) return { data: { counted: 0 } };
    const ids = await findReferralIds(tx, next, BATCH_SIZE);
    markReferrals(tx, ids);
    await saveNextReferral(tx, ids.length < BATCH_SIZE ? 0 : ids.at(-1)! + 1);
    return { data: { counted: ids.length } };
  },
});

/** Runs a recount to its end in batches; returns the number of referrals. */
export async function finishRecount(portal: Portal, caller: Caller): Promise<number> {
  let counted = 0;
  while ((await execute(portal, caller, readRecount)).isGoingOn) {
    const { data } = await execute(portal, caller, countReferrals);
    counted += Number(data?.counted ?? 0);
  }
  return counted;
}

const CHANGES_AT_ONCE = 200;

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
  for (let start = 0; start < sorted.length; start += CHANGES_AT_ONCE) {
    const batch = sorted.slice(start, start + CHANGES_AT_ONCE);
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
