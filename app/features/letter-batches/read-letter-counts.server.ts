import { countWaitingLetters } from "~/features/delivery/letter-queue.server";
import type { Portal } from "~/portal.server";
import { findLiveBatches } from "./letter-batch-store.server";

export async function readLetterCounts({ db, print }: Portal) {
  if (print.mode !== "batch") return null;
  return { waiting: await countWaitingLetters(db), liveBatches: (await findLiveBatches(db)).length };
}
