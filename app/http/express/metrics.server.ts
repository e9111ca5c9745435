import { createHash, timingSafeEqual } from "node:crypto";
import { type Request, Router } from "express";
import { collectDefaultMetrics } from "prom-client";
import { execute, plainInput } from "~/access/operation.server";
import { addressIn, resolveSite } from "~/access/sites.server";
import { readDeliveryMetrics } from "~/features/delivery/read-delivery-metrics.server";
import { readJobMetrics } from "~/features/job-register/read-job-metrics.server";
import { freeBytesHere } from "~/files/staging/upload-quota.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

const LOOPBACK = ["127.0.0.0/8", "::1"];

/**
 * `/metrics` in the text form of Prometheus: for this machine, or for whoever has METRICS_TOKEN, and through neither site. For everybody
 * else there is nothing, since a proxy in front of the sites may stand on this machine, too.
 */
export function metricsRoute(portal: Portal): Router {
  collectDefaultMetrics({ register: portal.metrics.registry, prefix: "portal_" });
  const router = Router();
  router.get("/metrics", (request, response, next) => {
    if (!mayRead(portal, request)) return next();
    collectMetrics(portal).then(
      (text) =>
        response.set({ "Content-Type": portal.metrics.registry.contentType, "Cache-Control": "no-store" }).send(text),
      next,
    );
  });
  return router;
}

function mayRead({ config }: Portal, request: Request): boolean {
  const site = resolveSite(config, request.headers.host ?? "");
  if (site.kind === "redirect" || (site.kind === "site" && site.site !== "local")) return false;
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  if (token !== undefined) return config.metricsToken !== null && isSame(token, config.metricsToken);
  const isForwarded = request.headers["x-forwarded-for"] !== undefined || request.headers.forwarded !== undefined;
  return !isForwarded && addressIn(LOOPBACK, request.socket.remoteAddress ?? "");
}

const digest = (text: string) => createHash("sha256").update(text).digest();

/** In the same time whatever was given. */
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted));

/** From the database, so that one answer tells of every process that sends. */
async function collectMetrics(portal: Portal): Promise<string> {
  const { metrics } = portal;
  for (const { channel, queued, awaiting, oldestSeconds, settled } of await execute(
    portal,
    systemCaller("metrics"),
    readDeliveryMetrics,
    plainInput({}),
  )) {
    metrics.outboxMessages.set({ channel, outcome: "queued" }, queued);
    metrics.outboxMessages.set({ channel, outcome: "awaiting" }, awaiting);
    metrics.outboxOldestSeconds.set({ channel }, oldestSeconds);
    for (const { outcome, count } of settled) metrics.outboxSettledLastHour.set({ channel, outcome }, count);
  }
  for (const { job, finishedAt, hasFailed } of await execute(
    portal,
    systemCaller("metrics"),
    readJobMetrics,
    plainInput({}),
  )) {
    metrics.jobLastRun.set({ job }, finishedAt.getTime() / 1000);
    metrics.jobFailed.set({ job }, hasFailed ? 1 : 0);
  }
  metrics.diskFreeBytes.set(await freeBytesHere(portal.config.dataDir));
  metrics.fileStoreUp.set(
    await portal.files.check().then(
      () => 1,
      () => 0,
    ),
  );
  return metrics.registry.metrics();
}
