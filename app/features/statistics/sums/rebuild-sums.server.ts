import { z } from "zod";
import type { Tx } from "~db/connection.server";
import { markReferrals } from "~db/marked-rows.server";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import { beginGeneration, findNextReferral, findReferralIds, lockNextReferral, saveNextReferral } from "./store.server";

const BATCH_SIZE = 100;

export const readRecount = read({
  name: "statistics.readRecount",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { isGoingOn: (await findNextReferral(db)) !== 0 };
  },
});

export const beginRecount = change({
  name: "statistics.beginRecount",
  permission: "system",
  input: z.object({}),
  async run({ tx }) {
    if ((await lockNextReferral(tx)) !== 0) return {};
    await beginGeneration(tx);
    await saveNextReferral(tx, 1);
    return {};
  },
});

/** Begins to mark every referral, so that all that is derived from them is written anew. */
export const recountAll = (tx: Tx) => saveNextReferral(tx, 1);

/**
 * Recounts the next referrals by id. Concurrent changes are counted by their own transaction; counting twice adds
 * nothing.
 */
export const countReferrals = change({
  name: "statistics.countReferrals",
  permission: "system",
  input: z.object({}),
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
  while ((await execute(portal, caller, readRecount, plainInput({}))).isGoingOn) {
    const { data } = await execute(portal, caller, countReferrals, plainInput({}));
    counted += Number(data?.counted ?? 0);
  }
  return counted;
}
