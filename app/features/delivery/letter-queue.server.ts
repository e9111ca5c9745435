import type { Tx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { print } from "./channels/print.server";
import type { FailureReason } from "./failure-reason";
import { followOutcome } from "./follow-outcome.server";
import type { ClaimedMessage, NewOutcome, NotNow } from "./kind-hooks";
import { settleQueued } from "./letter-queue-store.server";

/** Letters that wait to be printed at the clinic: what batches of them take, and put back. */
export {
  countWaitingLetters,
  findQueuedLetters,
  findWaitingLetters,
  recordPrintedLetter,
} from "./letter-queue-store.server";

/** Why a letter is not printed: it must not leave now, or it may have left already. */
export type LetterVerdict = NotNow | { outcome: "unknown"; detail: string; reason?: FailureReason; code?: number };

/** Why a letter must not leave now; null when it may. A new address is written into the letter itself. */
export async function judgeLetter(portal: Portal, letter: ClaimedMessage): Promise<LetterVerdict | null> {
  // It was handed to a provider who printed letters then: the outcome is unknown.
  if (letter.attempts > 0)
    return { outcome: "unknown", detail: "Kan være sendt af trykkeriet", reason: "printedElsewhere" };
  if (letter.isUnreadable)
    return { outcome: "failed", detail: "Kan ikke læses med den nuværende nøgle", reason: "unreadable" };
  const verdict = (await portal.kindHooks[letter.kind].recheck?.(portal, letter)) ?? null;
  if (verdict === null || !("to" in verdict)) return verdict;
  letter.to = verdict.to;
  return null;
}

/** Ends a letter that waited: printed, or not to be sent at all. */
export async function settleLetter(
  tx: Tx,
  portal: Portal,
  letter: ClaimedMessage,
  {
    outcome,
    detail,
    reason = null,
    code = print.codes[outcome],
  }: { outcome: "sent" | "failed" | "withdrawn" | "unknown" } & Pick<NewOutcome, "detail" | "reason"> & {
      code?: number;
    },
  now: Date,
): Promise<void> {
  if (await settleQueued(tx, letter.id, { outcome, code, detail, reason }, now))
    await followOutcome(tx, portal, letter, { outcome, code, detail, reason }, now);
}
