import { isIPv4 } from "node:net";

/** Whether only this machine reaches a server that listens there. */
export function isLoopback(host: string): boolean {
  if (host === "localhost" || host.endsWith(".localhost") || host === "::1" || host === "[::1]") return true;
  return isIPv4(host) && host.startsWith("127.");
}
