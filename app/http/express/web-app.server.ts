import path from "node:path";
import { fileURLToPath } from "node:url";
import { broadcastDevReady, type ServerBuild } from "@remix-run/node";
import * as build from "@remix-run/dev/server-build";
import compression from "compression";
import staticGzip from "express-static-gzip";
import express, { type Express, type NextFunction, type Request, type Response, type RequestHandler } from "express";
import type { Site } from "~/access/caller";
import { filePaths } from "~/features/referrals/file-paths";
import type { Portal } from "~/portal.server";
import { createContext } from "~/http/runners/context.server";
import {
  countRefusals,
  hostRules,
  isApi,
  isAsset,
  limitBody,
  onlyForms,
  refusePlainly,
  securityHeaders,
} from "./guard.server";
import type { Observation } from "./observation.server";
import { createPageHandler } from "./page-handler.server";
import { waitForDrain } from "~/http/runners/backpressure.server";
import { receiveForms } from "./receive-forms.server";
import { receiveResumableUploads } from "./resumable-uploads.server";
import { sameOrigin } from "./same-origin.server";
import { limitBodyTime } from "./body-timeout.server";
import { receiveUploads } from "./uploads.server";
import { serverPaths } from "~/paths";
import { addressIn } from "~/access/sites.server";

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
  app.all("*", createPageHandler(serverBuild, portal.config.production ? "production" : "development"));
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

/**
 * `vid`, `num` and `trmPdf` or `trmZip` on any page redirect to the referral, which starts the download; sign-in first
 * if needed. `mid` is kept for the audit.
 */
const letterLinks: RequestHandler = ({ method, query }, response, next) => {
  const number = (name: string) =>
    typeof query[name] === "string" && /^\d{1,9}$/.test(query[name]) ? Number(query[name]) : null;
  const [referralId, letterNumber] = [number("vid"), number("num")];
  const isZip = query.trmZip !== undefined;
  if (method !== "GET" || referralId === null || letterNumber === null || (!isZip && query.trmPdf === undefined))
    return next();
  response.setHeader("Cache-Control", "no-store");
  return response.redirect(302, serverPaths.letterPage(referralId, letterNumber, isZip ? "zip" : "pdf", number("mid")));
};

const MAX_REMEMBERED_PEERS = 100;

/**
 * Removes forwarded headers except the address from a trusted proxy. Remix would build its request URL from any
 * `X-Forwarded-Host`.
 */
function onlyTrustedForwards({ config, log }: Pick<Portal, "config" | "log">): RequestHandler {
  const warned = new Set<string>();
  return (request, _response, next) => {
    const { headers, socket } = request;
    const peer = socket.remoteAddress ?? "";
    const isTrusted = addressIn(config.trustedProxies, peer);
    if (
      !isTrusted &&
      headers["x-forwarded-for"] !== undefined &&
      !warned.has(peer) &&
      warned.size < MAX_REMEMBERED_PEERS
    ) {
      warned.add(peer);
      log.warn(
        { peer },
        "X-Forwarded-For from a peer that TRUSTED_PROXIES does not name: callers are known by the peer's address",
      );
    }
    for (const name of Object.keys(headers)) {
      if (name === "forwarded" || (name.startsWith("x-forwarded-") && !(isTrusted && name === "x-forwarded-for")))
        delete headers[name];
    }
    const forwardedFor = headers["x-forwarded-for"];
    if (forwardedFor !== undefined)
      headers["x-forwarded-for"] = [forwardedFor].flat().join(",").split(",").map(withoutPort).join(", ");
    next();
  };
}

/** Some gateways append the port: `1.2.3.4:5678`, `[2001:db8::1]:5678`. */
function withoutPort(written: string): string {
  const address = written.trim();
  const [, v6, v4] = /^(?:\[([\da-f:.]+)\](?::\d+)?|(\d+\.\d+\.\d+\.\d+):\d+)$/i.exec(address) ?? [];
  return v6 ?? v4 ?? address;
}

/** A page writes its own address into each of its forms; the longest that the portal makes, of 1,000 picked numbers, has some 8 KB. */
const MAX_ADDRESS = 16 * 1024;

/**
 * Runs before all rules that go by path or host. Refuses a target longer than any of the portal's own; a path that
 * Remix, which removes dot segments and decodes, would read otherwise than Express, which compares it as sent; and two
 * Host headers (RFC 9112, 3.2), since Node takes the first and a proxy may have judged the second.
 */
function onlyNormalRequests(portal: Portal): RequestHandler {
  return (request, response, next) => {
    if (request.url.length > MAX_ADDRESS)
      return refusePlainly(portal, response, {
        status: 414,
        title: "Adressen er for lang",
        text: "Gå tilbage, og vælg færre ad gangen.",
        countedAs: "path",
      });
    if (isNormal(request.url) && countHosts(request.rawHeaders) <= 1) return next();
    refusePlainly(portal, response, {
      status: 400,
      title: "Adressen kan ikke læses",
      text: "Gå tilbage, og prøv igen.",
      countedAs: "path",
    });
  };
}

/** @param rawHeaders alternating names and values, as from Node */
const countHosts = (rawHeaders: string[]) =>
  rawHeaders.filter((word, index) => index % 2 === 0 && word.toLowerCase() === "host").length;

/** Whether a target is a path in normal form (RFC 3986 §6.2, WHATWG URL), with or without query. */
function isNormal(target: string): boolean {
  const pathname = target.split("?", 1)[0]!;
  if (!pathname.startsWith("/") || pathname.includes("//")) return false;
  if (/%(2f|5c|[01][0-9a-f]|7f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|2[de]|5f|7e)/i.test(pathname)) return false;
  try {
    decodeURIComponent(pathname);
    return new URL(target, "http://portal.invalid").pathname === pathname;
  } catch {
    return false;
  }
}
