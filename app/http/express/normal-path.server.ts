import type { RequestHandler } from "express";
import type { Portal } from "~/portal.server";
import { refusePlainly } from "./guard.server";

/**
 * Refuses targets that Express and Remix would interpret differently (Express compares the raw path, Remix normalises
 * and decodes), and two Host headers (RFC 9112, 3.2), of which a proxy may have checked the other. Must precede all
 * rules by path or host.
 */
export function onlyNormalRequests(portal: Portal): RequestHandler {
  return (request, response, next) => {
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
export function isNormal(target: string): boolean {
  const path = target.split("?", 1)[0]!;
  if (!path.startsWith("/") || path.includes("//")) return false;
  // Encoded slashes, backslashes, control characters and unreserved characters.
  if (/%(2f|5c|[01][0-9a-f]|7f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|2[de]|5f|7e)/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return new URL(target, "http://portal.invalid").pathname === path;
  } catch {
    return false;
  }
}
