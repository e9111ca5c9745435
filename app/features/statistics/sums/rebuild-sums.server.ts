import { z } from "zod";
import { markReferrals } from "~db/marked-rows.server";
import type { Caller } from "~/access/caller";
import { change, execute, plainInput, read } from "~/access/operation.server";
import type { Portal } from "~/portal.server";
import {
  beginGeneration,
  findNextReferral,
  findReferralIds,
  lockNextReferral,
  saveNextReferral,
} from "./recount-store.server";

/** Referrals to a transaction: short enough that nobody waits for it. */
const BATCH_SIZE = 100;

/** Whether referrals are being counted anew; looked at before a transaction is opened for them. */
export const readRecount = read({
  name: "statistics.readRecount",
  permission: "system",
  input: z.object({}),
  async run({ db }) {
    return { isGoingOn: (await findNextReferral(db)) !== 0 };
  },
});

/** Begins to count every referral anew, unless that goes on already. */
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

/**
 * The next referrals of a recount, in order of their numbers. What changes meanwhile is counted by its own change, before or after its turn:
 * a referral adds the same however often it is counted.
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

/** Counts a recount that goes on to its end, a batch to a transaction; answers how many referrals those were. */
export async function finishRecount(portal: Portal, caller: Caller): Promise<number> {
  let counted = 0;
  while ((await execute(portal, caller, readRecount, plainInput({}))).isGoingOn) {
    const { data } = await execute(portal, caller, countReferrals, plainInput({}));
    counted += Number(data?.counted ?? 0);
  }
  return counted;
}
