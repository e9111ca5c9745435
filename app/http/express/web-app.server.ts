import path from "node:path";
import { fileURLToPath } from "node:url";
import { createRequestHandler } from "@remix-run/express";
import { type AppLoadContext, broadcastDevReady, type ServerBuild } from "@remix-run/node";
import * as build from "@remix-run/dev/server-build";
import compression from "compression";
import staticGzip from "express-static-gzip";
import express, { type Express, type NextFunction, type Request, type Response } from "express";
import type { Site } from "~/access/caller";
import { filePaths } from "~/features/referrals/file-paths";
import type { Portal } from "~/portal.server";
import { createContext } from "~/http/runners/context.server";
import { countRefusals } from "./count-refusals.server";
import { onlyTrustedForwards } from "./forwarded-headers.server";
import { hostRules, isApi, isAsset, limitBody, onlyForms, refusePlainly, securityHeaders } from "./guard.server";
import { onlyNormalRequests } from "./normal-path.server";
import type { Observation } from "./observation.server";
import { letterLinks } from "./letter-links.server";
import { waitForDrain } from "~/http/runners/backpressure.server";
import { receiveForms } from "./receive-forms.server";
import { receiveResumableUploads } from "./resumable-uploads.server";
import { sameOrigin } from "./same-origin.server";
import { limitBodyTime } from "./body-timeout.server";
import { receiveUploads } from "./uploads.server";

const serverBuild = build as unknown as ServerBuild;

const publicFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "public");

/**
 * Express around Remix: health, headers, hosts, same-origin, static files, uploads, pages. The order matters: no body
 * is read before the rules above have passed.
 */
export async function createWebApp(
  portal: Portal,
  { besideSites }: Pick<Observation, "besideSites">,
): Promise<Express> {
  const app = express();
  app.disable("x-powered-by");
  // Only configured proxies; `true` would let callers choose their address.
  app.set("trust proxy", portal.config.trustedProxies.length > 0 ? portal.config.trustedProxies : false);
  app.set("query parser", "simple");
  app.use(securityHeaders(portal));
  app.use(onlyTrustedForwards(portal));
  app.use(countRefusals(portal));
  app.use(onlyNormalRequests(portal));
  app.use(limitBodyTime());
  app.use(besideSites);
  app.use(hostRules(portal));
  app.use(sameOrigin(portal));
  app.use(onlyForms(portal));
  // Brotli where the browser takes it, at the library's quality 4. For gzip, level 8 with small blocks makes the overview 2 % smaller for 0.2 ms more.
  app.use(compression({ level: 8, memLevel: 5 }));
  // Compressed by the build: smaller, and no work for the server.
  app.use(
    "/build",
    staticGzip(path.join(publicFolder, "build"), {
      enableBrotli: true,
      orderPreference: ["br", "gz"],
      serveStatic: { immutable: true, maxAge: "1y", fallthrough: false, index: false },
    }),
  );
  const publicFiles = express.static(publicFolder, { maxAge: "1h", index: false });
  // Pages are no files: asking the disk first would cost two look-ups per request.
  app.use((request, response, next) => (isAsset(request.path) ? publicFiles(request, response, next) : next()));
  app.use(letterLinks);
  app.use((request, response, next) => {
    response.locals.context = createContext(portal, {
      cookie: request.headers.cookie,
      authorization: isApi(request.path) ? request.headers.authorization : undefined,
      userAgent: request.headers["user-agent"],
      path: request.path,
      nonce: response.locals.nonce as string,
      site: response.locals.site as Site,
      address: request.ip ?? "",
      secure: isSecure(portal, response.locals.site as Site),
      isScripted: typeof request.query._data === "string",
      waitForDrain: () => waitForDrain(response),
      replacePolicy: (policy) => void response.setHeader("Content-Security-Policy", policy),
      afterAnswer: (work) => void response.once("finish", () => void work()),
    });
    next();
  });
  app.all([filePaths.uploads, `${filePaths.uploads}/*`], receiveResumableUploads(portal));
  app.use(limitBody(portal));
  app.use(receiveForms(portal));
  app.use(receiveUploads(portal, serverBuild.routes));
  app.all(
    "*",
    createRequestHandler({
      build: serverBuild,
      mode: portal.config.production ? "production" : "development",
      getLoadContext: (_request, response) => response.locals.context as AppLoadContext,
    }),
  );
  // Express's own answer would reveal code paths.
  app.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) return next(error);
    const status = error instanceof URIError ? 400 : ((error as { status?: number } | null)?.status ?? 500);
    const isTheirs = status >= 400 && status < 500;
    if (!isTheirs) portal.log.error({ err: error }, "request failed");
    const title = !isTheirs ? "!!! SERVER ERROR !!!" : status === 404 ? "Siden findes ikke" : "Adressen kan ikke læses";
    refusePlainly(portal, response, {
      status: isTheirs ? status : 500,
      title,
      text: "Gå tilbage, og prøv igen.",
      ...(status === 400 ? { countedAs: "path" as const } : {}),
    });
  });
  return app;
}

/** Tells `npm run dev` that this build answers. No effect elsewhere. */
export async function announceBuild({ config }: Pick<Portal, "config">): Promise<void> {
  if (!config.production && process.env.REMIX_DEV_ORIGIN) await broadcastDevReady(serverBuild);
}

function isSecure(portal: Portal, site: Site): boolean {
  const origin = site === "staff" ? portal.config.adminOrigin : portal.config.publicOrigin;
  return site !== "local" && origin.startsWith("https:");
}
