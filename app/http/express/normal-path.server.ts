import type { RequestHandler } from "express";
import type { Portal } from "~/portal.server";
import { refusePlainly } from "./guard.server";

/** A page writes its own address into each of its forms; the longest that the portal makes, of 1,000 picked numbers, has some 8 KB. */
const MAX_ADDRESS = 16 * 1024;

/**
 * Runs before all rules that go by the path or the host: refuses a target that is longer than any of the portal's own; one that Remix would read as
 * another path than Express, which compares it as it was sent, while Remix removes dot segments and decodes; and two Host headers (RFC 9112, 3.2), of
 * which Node takes the first and a proxy may have judged the second.
 */
export function onlyNormalRequests(portal: Portal): RequestHandler {
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
export function isNormal(target: string): boolean {
  const path = target.split("?", 1)[0]!;
  if (!path.startsWith("/") || path.includes("//")) return false;
  if (/%(2f|5c|[01][0-9a-f]|7f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|2[de]|5f|7e)/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return new URL(target, "http://portal.invalid").pathname === path;
  } catch {
    return false;
  }
}
