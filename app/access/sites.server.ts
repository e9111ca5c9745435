import ipaddr from "ipaddr.js";
import type { Config } from "~/config/config.server";
import type { Site } from "./caller";

export type HostVerdict =
  | { kind: "site"; site: Site }
  /** The public site's bare name redirects to `www.`. */
  | { kind: "redirect"; to: string }
  | { kind: "unknown" };

export function resolveSite(config: Config, hostHeader: string): HostVerdict {
  const host = hostHeader.toLowerCase();
  const staff = new URL(config.adminOrigin).host;
  const open = new URL(config.publicOrigin).host;
  if (!config.production && /^(localhost|127\.0\.0\.1|\[::1\])(:\d+)?$/.test(host))
    return { kind: "site", site: "local" };
  if (host === staff) return { kind: "site", site: staff === open && !config.production ? "local" : "staff" };
  if (host === open) return { kind: "site", site: "public" };
  if (open === `www.${host}`) return { kind: "redirect", to: config.publicOrigin };
  return { kind: "unknown" };
}

const everyone = ["/login", "/change-password", "/management", "/pdf/visit", "/tilgaengelighed"];
const pagesOf: Record<Site, string[]> = {
  staff: [...everyone, "/api"],
  // The API serves calls that name this site, and calls with a key (http/express/guard.server.ts).
  public: [...everyone, "/xr", "/dl", "/aftale", "/sag", "/book-parking", "/webhooks"],
  local: ["/"],
  inside: [],
};

export function isServedOn(site: Site, path: string): boolean {
  if (path === "/") return true;
  return pagesOf[site].some((page) => page === "/" || path === page || path.startsWith(`${page}/`));
}

/** Whether an address is in a list of addresses and CIDR ranges. `::ffff:…` counts as IPv4. */
export function addressIn(list: string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const peer = ipaddr.process(address);
  return rangesOf(list).some(([network, bits]) => network.kind() === peer.kind() && peer.match(network, bits));
}

export function isNetwork(text: string): boolean {
  return text.includes("/") ? ipaddr.isValidCIDR(text) : ipaddr.isValid(text);
}

const read = new WeakMap<string[], [ipaddr.IPv4 | ipaddr.IPv6, number][]>();

function rangesOf(list: string[]) {
  const known = read.get(list);
  if (known) return known;
  const ranges = list.map((entry): [ipaddr.IPv4 | ipaddr.IPv6, number] => {
    if (entry.includes("/")) return ipaddr.parseCIDR(entry);
    const one = ipaddr.process(entry);
    return [one, one.kind() === "ipv4" ? 32 : 128];
  });
  read.set(list, ranges);
  return ranges;
}
