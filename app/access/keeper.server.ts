import type { Actor } from "./actor";
import { can } from "./permissions";

const KEPT_MS = 60_000;
const COSTLY_MS = 2;
const MOST_KEPT = 500;

/**
 * Keeps answers for a minute, beside what was asked. Counts are kept only when they were costly, so that
 * cheap ones are always fresh. One keeper a process and database: it is part of the portal.
 */
export function createKeeper() {
  const kept = new Map<string, { answer: unknown; until: number }>();
  async function keep<T>(question: string, ask: () => Promise<T> | T, costly: number): Promise<T> {
    const before = kept.get(question);
    if (before && before.until > performance.now()) return before.answer as T;
    const started = performance.now();
    const answer = await ask();
    const ended = performance.now();
    if (ended - started >= costly) {
      if (kept.size >= MOST_KEPT) kept.clear();
      kept.set(question, { answer, until: ended + KEPT_MS });
    }
    return answer;
  }
  return {
    /** `question` names all that the answer depends on, the actor's scope included. */
    keep: <T>(question: string, ask: () => Promise<T> | T) => keep(question, ask, 0),
    keepIfCostly: <T>(question: string, ask: () => Promise<T> | T) => keep(question, ask, COSTLY_MS),
    /** After a change that must be seen at once: forgets the questions that begin so. */
    forget(start: string): void {
      for (const question of kept.keys()) if (question.startsWith(start)) kept.delete(question);
    },
  };
}

export type Keeper = ReturnType<typeof createKeeper>;

/** Two actors with the same key see the same referrals. */
export function scopeKey(actor: Actor): string {
  return can(actor, "referral.seeAll") ? "all" : actor.kind === "person" ? `person ${actor.id}` : actor.kind;
}
