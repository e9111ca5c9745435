import { randomUUID } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Db } from "~db/connection.server";
import type { Actor } from "~/access/actor";
import { can } from "~/access/permissions";
import { findCacheChanges, recordCacheChanges } from "./cache-change-store.server";

const TTL_MS = 60_000;
const SLOW_MS = 2;
const MAX_ANSWERS = 500;

/**
 * Keeps slow answers for a minute; quick ones are always asked for again. Each process has its own cache and first asks
 * the database what other processes changed. Not for use inside a transaction.
 */
export function createCache({ db, clock }: { db: Db; clock: { now(): Date } }) {
  const processId = randomUUID();
  const answers = new LRUCache<string, { answer: unknown }>({ max: MAX_ANSWERS, ttl: TTL_MS });
  const seen = new Map<string, string>();
  let drops = 0;
  let upcoming: Promise<void> | undefined;

  function drop(topic: string): void {
    drops += 1;
    const found = Array.from(answers.keys()).filter((key) => key.startsWith(topic));
    for (const key of found) answers.delete(key);
  }

  /** Concurrent reads share one query for changes, started after the last of them was made. */
  const follow = () => (upcoming ??= new Promise(setImmediate).then(followNow));

  async function followNow(): Promise<void> {
    upcoming = undefined;
    for (const { topic, processId: changedBy, version } of await findCacheChanges(db)) {
      const whose = `${topic} ${changedBy}`;
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
    /** `key` must contain everything the answer depends on, including the actor's scope. */
    get: <T>(key: string, ask: () => Promise<T> | T) => getAndKeep(key, ask, () => true),
    getIfSlow: <T>(key: string, ask: () => Promise<T> | T) => getAndKeep(key, ask, (_answer, ms) => ms >= SLOW_MS),
    getUnless: <T>(key: string, ask: () => Promise<T> | T, isAskedAgain: (answer: T) => boolean) =>
      getAndKeep(key, ask, (answer) => !isAskedAgain(answer)),
    /** Drops cached answers whose keys begin with one of the topics, in every process. */
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

export function scopeKey(actor: Actor): string {
  if (can(actor, "referral.seeAll") && can(actor, "draft.seeAll")) return "all";
  if (actor.kind === "apiKey") return `key ${actor.key?.id}`;
  return actor.kind === "person" ? `person ${actor.id}` : actor.kind;
}
