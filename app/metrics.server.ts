import { Counter, Gauge, Registry } from "prom-client";
import { doorRefusalKinds } from "./access/door-refusals.server";

/** Figures of `/metrics`. Labels never name a person, number or host. */
export interface Metrics {
  registry: Registry;
  webhookRefused: Counter<"channel" | "reason">;
  refusedAtDoor: Counter<"kind">;
  outboxMessages: Gauge<"channel" | "outcome">;
  outboxOldestSeconds: Gauge<"channel">;
  outboxSettledLastHour: Gauge<"channel" | "outcome">;
  fileStoreUp: Gauge;
  diskFreeBytes: Gauge;
  jobLastRun: Gauge<"job">;
  jobFailed: Gauge<"job">;
}

export function createMetrics(): Metrics {
  const registry = new Registry();
  const registers = [registry];
  const refusedAtDoor = new Counter<"kind">({
    name: "portal_refused_at_door_total",
    help: "Requests that were refused before anybody was known, since this process began",
    labelNames: ["kind"],
    registers,
  });
  // Rates need a zero before the first refusal.
  for (const kind of doorRefusalKinds) refusedAtDoor.inc({ kind }, 0);
  return {
    registry,
    webhookRefused: new Counter({
      name: "portal_webhook_refused_total",
      help: "Requests to a webhook that were refused, since this process began",
      labelNames: ["channel", "reason"],
      registers,
    }),
    refusedAtDoor,
    outboxMessages: new Gauge({
      name: "portal_outbox_messages",
      help: "Messages that are queued, or handed over and not reported",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    outboxOldestSeconds: new Gauge({
      name: "portal_outbox_oldest_seconds",
      help: "How long the message has waited whose turn came first",
      labelNames: ["channel"],
      registers,
    }),
    outboxSettledLastHour: new Gauge({
      name: "portal_outbox_settled_last_hour",
      help: "Messages that came to an end within the last hour",
      labelNames: ["channel", "outcome"],
      registers,
    }),
    fileStoreUp: new Gauge({
      name: "portal_file_store_up",
      help: "1 while the file store can be written",
      registers,
    }),
    diskFreeBytes: new Gauge({
      name: "portal_disk_free_bytes",
      help: "What the disk of DATA_DIR still takes; with less than 200 MB no file is taken in",
      registers,
    }),
    jobLastRun: new Gauge({
      name: "portal_job_last_run_timestamp_seconds",
      help: "When a job ended last",
      labelNames: ["job"],
      registers,
    }),
    jobFailed: new Gauge({
      name: "portal_job_failed",
      help: "1 when a job's last run failed",
      labelNames: ["job"],
      registers,
    }),
  };
}
