import { Router } from "express";
import { findUnknownKeys } from "~/access/encryption-key-store.server";
import type { Portal } from "~/portal.server";
import { ping } from "~db/connection.server";

/** The checks run at most this often, however often they are asked for. */
const CHECK_EVERY_MS = 5_000;

/**
 * `/healthz`: the process answers. `/readyz`: so do the database, the file store and the secret. Neither says more than that. A remote file store
 * that is down is reported, but the process still counts as ready: the other processes would have the same problem, and what needs no file works.
 */
export function healthRoutes(portal: Portal): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  let last: { at: number; states: Promise<[string, string][]> } | undefined;
  router.get("/readyz", async (_request, response) => {
    if (last === undefined || performance.now() - last.at > CHECK_EVERY_MS)
      last = { at: performance.now(), states: check(portal) };
    const states = await last.states;
    const ready = states.every(([name, state]) => state === "ok" || (name === "files" && portal.files.isRemote));
    response
      .status(ready ? 200 : 503)
      .set("Cache-Control", "no-store")
      .json(Object.fromEntries(states));
  });
  return router;
}

function check(portal: Portal): Promise<[string, string][]> {
  const checks = {
    database: ping(portal.db),
    files: portal.files.check(),
    secret: requireKnownKeys(portal),
  };
  return Promise.all(
    Object.entries(checks).map(async ([name, running]): Promise<[string, string]> => {
      try {
        await running;
        return [name, "ok"];
      } catch (error) {
        portal.log.error({ err: error, check: name }, "not ready");
        return [name, "failed"];
      }
    }),
  );
}

/** Another process may have begun to write with another secret. */
async function requireKnownKeys({ db, secrets }: Portal): Promise<void> {
  if ((await findUnknownKeys(db, secrets)).length > 0) throw new Error("unknown encryption key");
}
