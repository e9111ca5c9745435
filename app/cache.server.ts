import { LRUCache } from "lru-cache";
import type { Actor } from "./access/actor";
import { can } from "./access/permissions";

const TTL_MS = 60_000;
const SLOW_MS = 2;
const MAX_ANSWERS = 500;

/**
 * Answers kept for a minute under a key. Counts are cached only when they were slow, so that quick ones are always fresh. One cache a
 * process and database: it is part of the portal.
 */
export function createCache() {
  const answers = new LRUCache<string, { answer: unknown }>({ max: MAX_ANSWERS, ttl: TTL_MS });
  async function getUnlessFast<T>(key: string, ask: () => Promise<T> | T, slowMs: number): Promise<T> {
    const cached = answers.get(key);
    if (cached) return cached.answer as T;
    const started = performance.now();
    const answer = await ask();
    if (performance.now() - started >= slowMs) answers.set(key, { answer });
    return answer;
  }
  return {
    /** `key` names all that the answer depends on, the actor's scope included. */
    get: <T>(key: string, ask: () => Promise<T> | T) => getUnlessFast(key, ask, 0),
    getIfSlow: <T>(key: string, ask: () => Promise<T> | T) => getUnlessFast(key, ask, SLOW_MS),
    /** After a change that must be seen at once: throws away the answers whose keys begin so. */
    invalidate(prefix: string): void {
      // Found first: the keys are a list that must not change while it is walked.
      const found = Array.from(answers.keys()).filter((key) => key.startsWith(prefix));
      for (const key of found) answers.delete(key);
    },
  };
}

export type Cache = ReturnType<typeof createCache>;

/** Two actors with the same key see the same referrals. */
export function scopeKey(actor: Actor): string {
  return can(actor, "referral.seeAll") ? "all" : actor.kind === "person" ? `person ${actor.id}` : actor.kind;
}
