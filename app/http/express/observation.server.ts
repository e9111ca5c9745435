import { createHash, timingSafeEqual } from "node:crypto";
import express, { type Express, type Request, Router } from "express";
import type { Portal } from "~/portal.server";
import { version } from "../../../package.json";
import { refusePlainly, securityHeaders } from "./guard.server";
import { createReadiness } from "./health.server";
import { createFigures } from "./metrics.server";

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

/** Compares in constant time. */
const isSame = (given: string, wanted: string) => timingSafeEqual(digest(given), digest(wanted));
