import type { RequestHandler } from "express";
import { addressIn } from "~/access/sites.server";
import type { Portal } from "~/portal.server";

const MAX_REMEMBERED_PEERS = 100;

/**
 * Removes forwarded headers except the address from a trusted proxy. Remix would build its request URL from any
 * `X-Forwarded-Host`.
 */
export function onlyTrustedForwards({ config, log }: Pick<Portal, "config" | "log">): RequestHandler {
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
