import { setTimeout } from "node:timers/promises";
import { findUnknownKeys } from "~/access/encryption-key-store.server";
import { StoreFull } from "~/gateways/file-store/port";
import type { Portal } from "~/portal.server";
import { ping } from "~db/connection.server";

/** Checks run at most this often. */
const CHECK_EVERY_MS = 5_000;
/** A check without an answer by then has failed, e.g. a hanging database. */
const CHECK_LIMIT_MS = 2_000;

export interface Readiness {
  isReady: boolean;
  /** `ok`, `failed` or `full` of database, file store and secret. */
  states: Record<string, string>;
}

/**
 * Checks database, file store and secret. A remote store that is down, or a full disk, is reported but the process
 * stays ready: others have the same problem, and much works without files.
 */
export function createReadiness(portal: Portal): () => Promise<Readiness> {
  let last: { at: number; states: Promise<[string, string][]>; isGoingOn: boolean } | undefined;
  return async () => {
    // A hanging check is not started a second time.
    if (last === undefined || (!last.isGoingOn && performance.now() - last.at > CHECK_EVERY_MS)) {
      const { states, ended } = check(portal);
      const begun = { at: performance.now(), states, isGoingOn: true };
      void ended.then(() => (begun.isGoingOn = false));
      last = begun;
    }
    const states = await last.states;
    const isReady = states.every(
      ([name, state]) => state === "ok" || (name === "files" && (portal.files.isRemote || state === "full")),
    );
    return { isReady, states: Object.fromEntries(states) };
  };
}

function check(portal: Portal): { states: Promise<[string, string][]>; ended: Promise<unknown> } {
  const checks: Record<string, Promise<unknown>> = {
    database: ping(portal.db),
    files: portal.files.check(),
    secret: requireKnownKeys(portal),
  };
  const states = Object.entries(checks).map(async ([name, running]): Promise<[string, string]> => {
    try {
      await Promise.race([running, noAnswer()]);
      return [name, "ok"];
    } catch (error) {
      portal.log.error({ err: error, check: name }, "not ready");
      return [name, error instanceof StoreFull ? "full" : "failed"];
    }
  });
  return { states: Promise.all(states), ended: Promise.allSettled(Object.values(checks)) };
}

async function noAnswer(): Promise<never> {
  await setTimeout(CHECK_LIMIT_MS, undefined, { ref: false });
  throw new Error(`no answer within ${CHECK_LIMIT_MS} ms`);
}

async function requireKnownKeys({ db, secrets }: Portal): Promise<void> {
  if ((await findUnknownKeys(db, secrets)).length > 0) throw new Error("unknown encryption key");
}
