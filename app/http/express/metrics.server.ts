import { collectDefaultMetrics } from "prom-client";
import { execute, plainInput } from "~/access/operation.server";
import { readDeliveryMetrics } from "~/features/delivery/read-messages.server";
import { readJobMetrics } from "~/features/job-register/operations.server";
import { freeBytesHere } from "~/files/staging/upload-quota.server";
import { systemCaller } from "~/jobs/system-caller";
import type { Portal } from "~/portal.server";

/** Figures of `/metrics` in Prometheus format. Call once per process: it registers Node's own. */
export function createFigures(portal: Portal): () => Promise<{ contentType: string; text: string }> {
  const { registry } = portal.metrics;
  collectDefaultMetrics({ register: registry, prefix: "portal_" });
  return async () => ({ contentType: registry.contentType, text: await collectMetrics(portal) });
}

/** Read from the database, so that one answer covers all sending processes. */
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
