import { isIPv4 } from "node:net";

/** Whether a server that listens on this host is reachable only from this machine. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1" || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
