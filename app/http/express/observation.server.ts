import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express, type Request, Router } from "express";
import { setTimeout } from "node:timers/promises";
import { collectDefaultMetrics } from "prom-client";
import type { Portal } from "~/portal.server";
import { version } from "../../../package.json";
import { refusePlainly, securityHeaders } from "./guard.server";
import { findUnknownKeys } from "~/access/encryption-key-store.server";
import { StoreFull } from "~/gateways/file-store/port";
import { ping } from "~db/connection.server";
import { execute } from "~/access/operation.server";
import { readDeliveryMetrics } from "~/features/delivery/read-messages.server";
import { readJobMetrics } from "~/features/job-register/operations.server";
import { freeBytesHere } from "~/files/staging/upload-quota.server";
import { systemCaller } from "~/access/system-caller";

export interface Observation {
  /**
   * On the sites' port: without METRICS_TOKEN no `/metrics`, and `/readyz` is one word. Address and host are not used,
   * because a local proxy makes all requests look alike.
   */
  besideSites: Router;
  /** On METRICS_PORT, which no proxy forwards to: everything, for anyone who reaches it. */
  app: Express;
}

export function createObservation(portal: Portal): Observation {
  const readiness = createReadiness(portal);
  const readFigures = createFigures(portal);
  const routes = (mayReadAll: (request: Request) => boolean): Router => {
    const router = Router();
    router.get("/healthz", (_request, response) => {
      response.set("Cache-Control", "no-store").json({ status: "ok", version });
    });
    router.get("/readyz", (request, response, next) => {
      readiness().then(({ isReady, states }) => {
        response.status(isReady ? 200 : 503).set("Cache-Control", "no-store");
        if (mayReadAll(request)) response.json(states);
        else response.type("text").send(isReady ? "ready" : "unready");
      }, next);
    });
    router.all("/metrics", (request, response, next) => {
      if (!mayReadAll(request)) {
        refusePlainly(portal, response, {
          status: 404,
          title: "Siden findes ikke",
          text: "Der er ikke noget på denne adresse.",
        });
        return;
      }
      readFigures().then(
        ({ contentType, text }) =>
          response.set({ "Content-Type": contentType, "Cache-Control": "no-store" }).send(text),
        next,
      );
    });
    return router;
  };
  const app = express();
  app.disable("x-powered-by");
  app.use(securityHeaders(portal));
  app.use(routes(() => true));
  return { besideSites: routes((request) => hasToken(portal, request)), app };
}

function hasToken({ config }: Portal, request: Request): boolean {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
  return token !== undefined && config.metricsToken !== null && isSame(token, config.metricsToken);
}

const digest = (text: string) => createHash("sha256").update(text).digest();

const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted));

const CHECK_EVERY_MS = 5_000;
/** A check without an answer by then has failed, e.g. a hanging database. */
const CHECK_LIMIT_MS = 2_000;

interface Readiness {
  isReady: boolean;
  /** `ok`, `failed` or `full` of database, file store and secret. */
  states: Record<string, string>;
}

/**
 * Checks database, file store and secret. A remote store that is down, or a full disk, is reported but the process
 * stays ready: others have the same problem, and much works without files.
 */
function createReadiness(portal: Portal): () => Promise<Readiness> {
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

/** Figures of `/metrics` in Prometheus format. Call once per process: it registers Node's own. */
function createFigures(portal: Portal): () => Promise<{ contentType: string; text: string }> {
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
  )) {
    metrics.outboxMessages.set({ channel, outcome: "queued" }, queued);
    metrics.outboxMessages.set({ channel, outcome: "awaiting" }, awaiting);
    metrics.outboxOldestSeconds.set({ channel }, oldestSeconds);
    for (const { outcome, count } of settled) metrics.outboxSettledLastHour.set({ channel, outcome }, count);
  }
  for (const { job, finishedAt, hasFailed } of await execute(portal, systemCaller("metrics"), readJobMetrics)) {
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
