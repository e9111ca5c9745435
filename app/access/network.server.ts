import ipaddr from "ipaddr.js";

/** The network that an address belongs to, as one household or office has it: /24 of IPv4, /56 of IPv6; the text itself where it is no address. */
export const networkOf = (address: string): string => cut(address, { ipv4: 24, ipv6: 56 });

/** The network that refusals are told by in the log: wide enough to name nobody, /24 of IPv4 and a site's /48 of IPv6. */
export const providerNetworkOf = (address: string): string =>
  ipaddr.isValid(address) ? cut(address, { ipv4: 24, ipv6: 48 }) : "unknown";

/** How many times the attempts of one line a whole /48 of IPv6 may make: a provider's customers, or a large site, share one. */
const TIMES_OF_A_SITE = 10;

/**
 * The networks that attempts from an address are counted for, with the times of the limit that each has: an IPv4 address, which a whole hospital
 * may share; of IPv6 the /64 of one line, whose addresses its owner takes as they like, and loosely the /48 around it.
 */
export function countedNetworks(address: string): { network: string; times: number }[] {
  const line = { network: cut(address, { ipv4: 32, ipv6: 64 }), times: 1 };
  if (!ipaddr.isValid(address) || ipaddr.process(address).kind() === "ipv4") return [line];
  return [line, { network: cut(address, { ipv4: 32, ipv6: 48 }), times: TIMES_OF_A_SITE }];
}

function cut(address: string, { ipv4, ipv6 }: { ipv4: number; ipv6: number }): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  const network =
    parsed.kind() === "ipv4"
      ? ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/${ipv4}`)
      : ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/${ipv6}`);
  return `${network.toString()}/${parsed.kind() === "ipv4" ? ipv4 : ipv6}`;
}
