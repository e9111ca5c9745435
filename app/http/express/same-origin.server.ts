import type { NextFunction, Request, RequestHandler, Response } from "express";
import type { Portal } from "~/portal.server";
import { hasKey, isApi, isWebhook, refusePlainly } from "./guard.server";

/**
 * Refuses changes unless the browser says that they come from our own pages: Sec-Fetch-Site and Origin if sent, else
 * Referer, the only one of text browsers. A request with none is refused. Signed webhooks and API keys are exempt.
 */
export function sameOrigin(portal: Portal): RequestHandler {
  return (request: Request, response: Response, next: NextFunction) => {
    // Browsers never add an API key, and with a key the cookie is ignored.
    if (hasKey(request)) return next();
    if (request.method !== "GET" && request.method !== "HEAD") {
      if (isWebhook(request.path) || isOwnChange(request, portal.config)) return next();
      return refusePlainly(portal, response, {
        status: 403,
        title: "Afsendelsen blev afvist",
        text: "Formularen kom ikke fra portalens egne sider. Gå tilbage, genindlæs siden og prøv igen.",
        countedAs: "otherOrigin",
      });
    }
    if (!isApi(request.path) || isOwnReading(request, portal.config)) return next();
    return refusePlainly(portal, response, {
      status: 403,
      title: "Kaldet blev afvist: det kom ikke fra portalens egne sider",
      text: "",
      countedAs: "otherOrigin",
    });
  };
}

function isOwnChange({ headers }: Request, config: Portal["config"]): boolean {
  const { host, origin, referer, "sec-fetch-site": site } = headers;
  if (site !== undefined && site !== "same-origin") return false;
  // Contradicting headers do not come from a browser.
  if (origin !== undefined) return isOwnOrigin(origin, host, config);
  return site !== undefined || isOwnOrigin(originIn(referer), host, config);
}

/**
 * Reads may have effects too (an export records its date, look-ups are counted), so other sites may not navigate there.
 * Older browsers do not say where a navigation came from; programs do not ask for HTML (docs/decisions/0047).
 */
function isOwnReading({ headers }: Request, config: Portal["config"]): boolean {
  const { host, accept, origin, referer, "sec-fetch-site": site } = headers;
  if (site !== undefined) return site === "same-origin" || site === "none";
  const from = origin ?? originIn(referer);
  return from === undefined ? !/\btext\/html\b/i.test(accept ?? "") : isOwnOrigin(from, host, config);
}

/** Origin of a Referer as browsers write it: in lower case, without a default port. Not parsed, since a host of 70 KB would be punycode. */
const originIn = (address: string | undefined) => address && /^https?:\/\/[^/?#]*/.exec(address)?.[0];

function isOwnOrigin(
  origin: string | undefined,
  host: string | undefined,
  { adminOrigin, publicOrigin, production }: Portal["config"],
): boolean {
  if (origin === undefined || host === undefined) return false;
  const own = [adminOrigin, publicOrigin, ...(production ? [] : [`http://${host}`])];
  return own.includes(origin) && origin.endsWith(`://${host}`);
}
