import ipaddr from "ipaddr.js";

/** The network of a household or office: /24 of IPv4, /56 of IPv6. Text that is no address is returned unchanged. */
export const networkOf = (address: string): string => cut(address, { ipv4: 24, ipv6: 56 });

export const providerNetworkOf = (address: string): string =>
  ipaddr.isValid(address) ? cut(address, { ipv4: 24, ipv6: 48 }) : "unknown";

const TIMES_OF_A_SITE = 10;

/**
 * The networks that an attempt is counted for, with the multiple of the limit that each gets. An IPv4 address may be
 * shared by a whole hospital. An IPv6 line owns its /64, so single addresses do not count; the /48 around it is counted
 * loosely.
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
