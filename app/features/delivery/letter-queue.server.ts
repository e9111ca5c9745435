import type { Tx } from "~db/connection.server";
import type { Portal } from "~/portal.server";
import { print } from "./channels/letters.server";
import type { FailureReason } from "./failure-reason";
import { followOutcome } from "./follow-outcome.server";
import type { ClaimedMessage, NewOutcome, NotNow } from "./port";
import { settleQueued } from "./store.server";

export type LetterVerdict = NotNow | { outcome: "unknown"; detail: string; reason?: FailureReason; code?: number };

/** Checks a letter before printing; null lets it pass. A changed address is written into the letter. */
export async function judgeLetter(portal: Portal, letter: ClaimedMessage): Promise<LetterVerdict | null> {
  if (letter.attempts > 0)
    return { outcome: "unknown", detail: "Kan være sendt af trykkeriet", reason: "printedElsewhere" };
  if (letter.isUnreadable)
    return { outcome: "failed", detail: "Kan ikke læses med den nuværende nøgle", reason: "unreadable" };
  const verdict = (await portal.kindHooks[letter.kind].recheck?.(portal, letter)) ?? null;
  if (verdict === null || !("to" in verdict)) return verdict;
  letter.to = verdict.to;
  return null;
}

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
