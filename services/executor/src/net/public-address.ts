import ipaddr from "ipaddr.js";

/** The part of IPv6 that is given out to the public internet; all else is local, reserved or a tunnel. */
const GLOBAL_IPV6 = ipaddr.parseCIDR("2000::/3");

/**
 * Whether an address belongs to a host on the public internet.
 *
 * Not public: loopback, private and link-local networks, cloud metadata, shared address space,
 * multicast, reserved ranges, and IPv6 forms that carry an IPv4 address inside.
 */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed.kind() === "ipv4" || parsed.match(GLOBAL_IPV6);
}
