import ipaddr from "ipaddr.js";

/** The part of IPv6 that is allocated to the public internet; the rest is local, reserved or a tunnel. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address belongs to a host on the public internet.
 *
 * Not public: loopback, private and link-local networks, cloud metadata, shared address space, multicast, reserved ranges, and
 * IPv6 forms with an embedded IPv4 address.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
}
