import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import type { EntryContext } from "@remix-run/node";
import type { RequestHandler } from "express";
import { paths } from "~/paths";

/** Beside the folder of the bundle, wherever the process was started. */
const publicFolder = path.join(path.dirname(fileURLToPath(import.meta.url)), "..", "public");

/** The build whose files the browser was last told of. It says nothing about the person. */
const ASSETS = "assets";

/** Whether the browser has not been told of this build's files: whatever it needs of them, it must still fetch. */
export const isFirstVisit = (cookieHeader: string | undefined, build: string) =>
  !(cookieHeader ?? "").split("; ").includes(`${ASSETS}=${build}`);

/** The Set-Cookie header that ends the first visit to a build: for a year, and for the signed-in only. */
export const firstVisitEnds = (build: string, secure: boolean) =>
  `${ASSETS}=${build}; Path=/management; Max-Age=31536000; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;

/** The key of a form that was given without its address, for half an hour. A script sets the address right and takes the cookie away. */
const GIVEN = "given-form";

/** The key that this browser was given by `giveFormItsKey`: without script its Back asks for the address without key again. */
export const givenFormKey = (request: Request) =>
  new RegExp(`(?:^|; )${GIVEN}=([\\w-]+)`).exec(request.headers.get("Cookie") ?? "")?.[1];

/**
 * A new referral's form has its key in the address (docs/decisions/0022). On a first visit the server answers from there at once: to
 * lead the browser on would cost a slow connection one more journey.
 */
export const giveFormItsKey =
  (build: string): RequestHandler =>
  (request, response, next) => {
    if (
      request.method === "GET" &&
      request.originalUrl === paths.wizard &&
      isFirstVisit(request.headers.cookie, build)
    ) {
      const key = randomUUID();
      response.append("Set-Cookie", `${GIVEN}=${key}; Path=${paths.wizard}; Max-Age=1800; SameSite=Lax`);
      request.url = request.originalUrl = response.locals.givenAddress = paths.newReferral(key);
    }
    next();
  };

const read = new Map<string, string>();

/**
 * All the styles of a page that asks for them by `handle.isWholeAtFirst`; "" for the others. In the page they cost a slow
 * line its bytes, not a second journey (docs/decisions/0042).
 */
export function stylesAtFirst({ staticHandlerContext: { matches }, routeModules }: EntryContext): string {
  if (
    !matches.some(
      ({ route }) => (routeModules[route.id]?.handle as { isWholeAtFirst?: boolean } | undefined)?.isWholeAtFirst,
    )
  )
    return "";
  const links = matches.flatMap(({ route }) => routeModules[route.id]?.links?.() ?? []);
  return links
    .map((link) => ("rel" in link && link.rel === "stylesheet" && link.href ? styles(link.href) : ""))
    .join("\n");
}

/** What a stylesheet of the build holds, to stand in a page. */
export function styles(href: string): string {
  const known = read.get(href);
  if (known !== undefined) return known;
  const text = readFileSync(path.join(publicFolder, href), "utf8");
  read.set(href, text);
  return text;
}
