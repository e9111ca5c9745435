import type { RequestHandler } from "express";
import type { Portal } from "~/portal.server";
import { refusePlainly } from "./guard.server";

/**
 * Runs before all rules that go by the path or the host: refuses a target that Remix would read as another path than Express, which compares it as it
 * was sent, while Remix removes dot segments and decodes; and two Host headers (RFC 9112, 3.2), of which Node takes the first and a proxy may have
 * judged the second.
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

/** @param rawHeaders names and values in turn, as Node gives them */
const countHosts = (rawHeaders: string[]) =>
  rawHeaders.filter((word, index) => index % 2 === 0 && word.toLowerCase() === "host").length;

/** Whether a request's target is a path in its own normal form (RFC 3986 §6.2, WHATWG URL), with a query or none. */
export function isNormal(target: string): boolean {
  const path = target.split("?", 1)[0]!;
  if (!path.startsWith("/") || path.includes("//")) return false;
  // Slashes, backslashes and control characters in disguise; and letters, digits, '-', '.', '_' and '~', which nobody needs to disguise.
  if (/%(2f|5c|[01][0-9a-f]|7f|3[0-9]|4[1-9a-f]|5[0-9a]|6[1-9a-f]|7[0-9a]|2[de]|5f|7e)/i.test(path)) return false;
  try {
    decodeURIComponent(path);
    return new URL(target, "http://portal.invalid").pathname === path;
  } catch {
    return false;
  }
}
