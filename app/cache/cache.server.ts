import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { findCacheChanges, recordCacheChanges } from "./cache-change-store.server";
import type { Clock } from "~/portal.server";

const TTL_MS = 60_000;
const SLOW_MS = 2;
const MAX_ANSWERS = 500;

/**
 * Answers kept for a minute under a key. Counts are cached only when they were slow, so that quick ones are always fresh. One cache a
 * process; what another process changed is seen by the next question, because every question first asks the database what has changed.
 * Not for questions inside a transaction.
 */
export function createCache({ db, clock }: { db: Db; clock: Clock }) {
  const processId = randomUUID();
  const answers = new LRUCache<string, { answer: unknown }>({ max: MAX_ANSWERS, ttl: TTL_MS });
  const seen = new Map<string, string>();
  let drops = 0;
  let upcoming: Promise<void> | undefined;

  function drop(topic: string): void {
    drops += 1;
    // Collected first: the map must not change while it is iterated.
    const found = Array.from(answers.keys()).filter((key) => key.startsWith(topic));
    for (const key of found) answers.delete(key);
  }

  /** Concurrent reads share one query for changes, which starts after the last of them was made. */
  const follow = () => (upcoming ??= new Promise(setImmediate).then(followNow));

  async function followNow(): Promise<void> {
    upcoming = undefined;
    for (const { topic, process_id, version } of await findCacheChanges(db)) {
      const whose = `${topic} ${process_id}`;
      if (seen.get(whose) === version) continue;
      seen.set(whose, version);
      drop(topic);
    }
  }

  async function getAndKeep<T>(
    key: string,
    ask: () => Promise<T> | T,
    isKept: (answer: T, ms: number) => boolean,
  ): Promise<T> {
    await follow();
    const cached = answers.get(key);
    if (cached) return cached.answer as T;
    const [started, dropped] = [performance.now(), drops];
    const answer = await ask();
    // A change during the load may be missing from the answer.
    if (dropped === drops && isKept(answer, performance.now() - started)) answers.set(key, { answer });
    return answer;
  }

  return {
    /** `key` names all that the answer depends on, the actor's scope included. */
    get: <T>(key: string, ask: () => Promise<T> | T) => getAndKeep(key, ask, () => true),
    getIfSlow: <T>(key: string, ask: () => Promise<T> | T) => getAndKeep(key, ask, (_answer, ms) => ms >= SLOW_MS),
    /** An answer of which `isAskedAgain` holds is asked for again by the next question. */
    getUnless: <T>(key: string, ask: () => Promise<T> | T, isAskedAgain: (answer: T) => boolean) =>
      getAndKeep(key, ask, (answer) => !isAskedAgain(answer)),
    /** After a committed change that must be seen at once: throws away the answers whose keys begin with one of the topics, in every process. */
    async invalidate(...topics: string[]): Promise<void> {
      const version = randomUUID();
      for (const topic of topics) {
        drop(topic);
        seen.set(`${topic} ${processId}`, version);
      }
      await recordCacheChanges(db, { topics, processId, version, now: clock.now() });
    },
  };
}

export { removeCacheChanges } from "./cache-change-store.server";

export type Cache = ReturnType<typeof createCache>;

/** Two actors with the same key see the same referrals. */
export function scopeKey(actor: Actor): string {
  if (can(actor, "referral.seeAll")) return "all";
  if (actor.kind === "apiKey") return `key ${actor.key?.id}`;
  return actor.kind === "person" ? `person ${actor.id}` : actor.kind;
}
