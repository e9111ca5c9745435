import { randomBytes } from "node:crypto";
import type { Request, RequestHandler, Response } from "express";
import helmet from "helmet";
import type { DoorRefusal } from "~/access/door-refusals.server";
import { keyIn } from "~/access/api-keys.server";
import type { Site } from "~/access/caller";
import { addressIn, resolveSite, isServedOn } from "~/access/sites.server";
import { isOpenOn } from "~/http/api/api.server";
import type { Portal } from "~/portal.server";
import { filePaths } from "~/features/referrals/file-paths";
import { serverPaths } from "~/paths";
import { plainPage } from "~/http/runners/plain-page.server";

const ASSETS = ["/build/", "/hjaelp/", "/favicon", "/robots.txt", "/book-parking.js"];

/** Whether a path belongs to the JSON API. Its description for people is a page. */
export const isApi = (path: string) => path === "/api" || (path.startsWith("/api/") && path !== "/api/docs");

export const hasKey = (request: Request) => isApi(request.path) && keyIn(request.headers.authorization) !== null;

export const isWebhook = (path: string) => path.startsWith(serverPaths.webhooks);

export const isAsset = (path: string) => ASSETS.some((prefix) => path.startsWith(prefix));

const FRAMED_MAIL = /^\/management\/logs\/\d+\/indhold$/;
const FRAMED_MAIL_POLICY =
  "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'self'";

/** Headers of every answer, with a nonce for the page's scripts and inline styles. */
export function securityHeaders(portal: Portal): RequestHandler[] {
  const secure = portal.config.publicOrigin.startsWith("https:");
  const nonce: RequestHandler = (_request, response, next) => {
    response.locals.nonce = randomBytes(16).toString("base64");
    next();
  };
  const byNonce = (_request: unknown, response: unknown) => `'nonce-${(response as Response).locals.nonce as string}'`;
  return [
    nonce,
    helmet({
      contentSecurityPolicy: {
        useDefaults: false,
        directives: {
          defaultSrc: ["'none'"],
          scriptSrc: ["'self'", byNonce],
          styleSrc: ["'self'", byNonce],
          imgSrc: ["'self'", "data:", "blob:"],
          fontSrc: ["'self'"],
          // Remix's live reload uses its own port.
          connectSrc: portal.config.production ? ["'self'"] : ["'self'", "ws:", "http://localhost:*"],
          frameSrc: ["'self'"],
          formAction: ["'self'"],
          frameAncestors: ["'none'"],
          baseUri: ["'none'"],
          objectSrc: ["'none'"],
          manifestSrc: ["'self'"],
        },
      },
      // `no-referrer` would make same-origin forms send `Origin: null`.
      referrerPolicy: { policy: "same-origin" },
      // Not `includeSubDomains`: the bare name sends it too, and other hosts of the domain are not the portal's.
      strictTransportSecurity: secure ? { maxAge: 31_536_000, includeSubDomains: false } : false,
      crossOriginEmbedderPolicy: false,
      xFrameOptions: { action: "deny" },
    }),
    (request, response, next) => {
      if (FRAMED_MAIL.test(request.path)) {
        response.setHeader("Content-Security-Policy", FRAMED_MAIL_POLICY);
        response.setHeader("X-Frame-Options", "SAMEORIGIN");
      }
      response.setHeader("Permissions-Policy", "camera=(), microphone=(), geolocation=(), interest-cohort=()");
      next();
    },
  ];
}

export function hostRules(portal: Portal): RequestHandler {
  const { config } = portal;
  return (request, response, next) => {
    const verdict = resolveSite(config, request.headers.host ?? "");
    if (verdict.kind === "redirect") return response.redirect(308, `${verdict.to}${request.originalUrl}`);
    if (verdict.kind === "unknown")
      return refusePlainly(portal, response, {
        status: 421,
        title: "Adressen er ikke kendt",
        text: "Portalen svarer ikke på denne adresse.",
        countedAs: "unknownHost",
      });
    const { site } = verdict;
    // Lower case as in Origin, because Remix compares them literally.
    request.headers.host = request.headers.host!.toLowerCase();
    if (site === "staff" && !addressIn(config.adminIpAllow, request.ip ?? "")) {
      return refusePlainly(portal, response, {
        status: 403,
        title: "Access Denied by Ip",
        text: "Klinikkens side kan kun åbnes fra klinikkens netværk.",
        countedAs: "staffAddress",
      });
    }
    if (!isAsset(request.path) && !isServedHere(site, request)) {
      return refusePlainly(portal, response, {
        status: 404,
        title: "Siden findes ikke",
        text: "Der er ikke noget på denne adresse.",
      });
    }
    response.locals.site = site;
    next();
  };
}

const isServedHere = (site: Site, request: Request) =>
  isServedOn(site, request.path) || (isApi(request.path) && (isOpenOn(site, request.path) || hasKey(request)));

interface Takes {
  methods: readonly string[];
  types: RegExp;
}

const pages: Takes = {
  methods: ["GET", "HEAD", "POST"],
  types: /^(application\/x-www-form-urlencoded|multipart\/form-data)(;|$)/i,
};

/** Path prefixes that are no pages and take other methods and bodies. */
const otherThanPages: Record<string, Takes> = {
  [filePaths.uploads]: {
    methods: ["HEAD", "POST", "PATCH", "DELETE"],
    types: /^(application\/offset\+octet-stream)?$/i,
  },
  [serverPaths.webhooks]: { methods: ["POST"], types: /^application\/json(;|$)/i },
  // Not every call has a body; the route checks.
  "/api/": {
    methods: ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"],
    types: /^(application\/json(-patch\+json)?|multipart\/form-data)?(;|$)/i,
  },
};

/** Refuses methods and bodies that no form sends, before Remix fails on them. */
export function onlyForms(portal: Portal): RequestHandler {
  return (request, response, next) => {
    const { methods, types } =
      Object.entries(otherThanPages).find(([beginning]) => request.path.startsWith(beginning))?.[1] ?? pages;
    if (!methods.includes(request.method)) {
      response.setHeader("Allow", methods.join(", "));
      return refusePlainly(portal, response, {
        status: 405,
        title: "Det kan siden ikke",
        text: "Adressen kan åbnes, og dens formularer kan sendes; andet tager den ikke imod.",
        countedAs: "unreadable",
      });
    }
    const hasBody = !["GET", "HEAD", "DELETE"].includes(request.method);
    if (hasBody && !types.test(request.headers["content-type"] ?? "")) {
      return refusePlainly(portal, response, {
        status: 415,
        title: "Indholdet kan ikke læses",
        text: "Siden tager kun imod sine egne formularer. Gå tilbage, genindlæs siden og prøv igen.",
        countedAs: "unreadable",
      });
    }
    return next();
  };
}

/** Larger than any form without files; forms with files have their own limits (uploads.server.ts). */
export const MAX_BODY_BYTES = 512 * 1024;

/** Refuses a body that is too long or of unknown length before it is read into memory. */
export function limitBody(portal: Portal): RequestHandler {
  return (request, response, next) => {
    const hasFiles = /^multipart\/form-data/i.test(request.headers["content-type"] ?? "");
    if (request.method === "GET" || request.method === "HEAD" || hasFiles) return next();
    const isChunked = request.headers["transfer-encoding"] !== undefined;
    if (!isChunked && Number(request.headers["content-length"] ?? 0) <= MAX_BODY_BYTES) return next();
    response.setHeader("Connection", "close");
    return refusePlainly(portal, response, {
      status: 413,
      title: "Formularen er for lang",
      text: "Gå tilbage, og forkort det, du har skrevet.",
    });
  };
}

interface PlainRefusal {
  status: number;
  title: string;
  text: string;
  countedAs?: DoorRefusal;
}

export function refusePlainly(
  { config }: Pick<Portal, "config">,
  response: Response,
  { status, title, text, countedAs }: PlainRefusal,
) {
  if (countedAs) countAs(response, countedAs);
  if (isApi(response.req.path))
    return response.status(status).set("Cache-Control", "no-store").json({ message: title, errors: {} });
  return response
    .status(status)
    .type("html")
    .setHeader("Cache-Control", "no-store")
    .send(plainPage({ title, text, productName: config.productName, nonce: response.locals.nonce as string }));
}

const kindsOfStatus: Record<number, DoorRefusal> = { 413: "tooLarge", 429: "throttled" };

export function countAs({ locals }: Response, kind: DoorRefusal): void {
  locals.refusedAs = kind;
}

/** Counts requests refused before their sender is known, for log and `/metrics`. */
export function countRefusals({ doorRefusals }: Pick<Portal, "doorRefusals">): RequestHandler {
  return (request, response, next) => {
    // The address is unavailable after the connection has closed.
    const { ip } = request;
    response.once("close", () => {
      const kind = (response.locals.refusedAs as DoorRefusal | undefined) ?? kindsOfStatus[response.statusCode];
      if (kind) doorRefusals.count(kind, ip);
    });
    next();
  };
}
