import type { RequestHandler } from "express";
import type { Portal } from "~/portal.server";
import { refusePlainly } from "./guard.server";

/**
 * Runs before all rules that go by the path: refuses a target that Remix would read as another path than Express. Express compares
 * it as it was sent; Remix removes dot segments and decodes.
 */
export function onlyNormalPaths(portal: Portal): RequestHandler {
  return (request, response, next) => {
    if (isNormal(request.url)) return next();
    refusePlainly(portal, response, {
      status: 400,
      title: "Adressen kan ikke læses",
      text: "Gå tilbage, og prøv igen.",
      countedAs: "path",
    });
  };
}

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
