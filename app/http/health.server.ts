import { Router } from "express";
import { sql } from "kysely";
import type { Portal } from "~/portal.server";

/** `/healthz`: the process answers. `/readyz`: the database and the file store do too. Neither says more than that. */
export function healthRoutes(portal: Portal): Router {
  const router = Router();
  router.get("/healthz", (_request, response) => {
    response.set("Cache-Control", "no-store").json({ status: "ok" });
  });
  router.get("/readyz", async (_request, response) => {
    const checks = { database: sql`select 1`.execute(portal.db), files: portal.files.check() };
    const entries = await Promise.all(
      Object.entries(checks).map(async ([name, check]) => {
        try {
          await check;
          return [name, "ok"] as const;
        } catch (error) {
          portal.log.error({ err: error, check: name }, "not ready");
          return [name, "failed"] as const;
        }
      }),
    );
    const ready = entries.every(([, state]) => state === "ok");
    response.status(ready ? 200 : 503).set("Cache-Control", "no-store").json(Object.fromEntries(entries));
  });
  return router;
}
