import { isIP } from "node:net";
import { addressNotAllowed, addressRefused } from "./address-refused.ts";
import { type AllowList, portOf } from "./allow-list.ts";
import type { Egress } from "./egress.ts";
import { isPublicAddress } from "./public-address.ts";

const PORTS: ReadonlySet<number> = new Set([80, 443]);
const FIRST_FREE_PORT = 1024;

/**
 * The URL to connect to, checked as far as possible before name resolution.
 *
 * @param from - The page that redirected here, if any.
 * @throws {PermanentError} `address_refused`.
 */
export function checkUrl(
  text: string,
  { allowed, egress, from }: { readonly allowed: AllowList; readonly egress: Egress; readonly from?: URL },
): URL {
  const url = URL.parse(text, from);
  if (url === null) throw addressRefused(`${JSON.stringify(text.slice(0, 200))} is not a URL`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw addressRefused(`only http and https, not ${url.protocol}`);
  if (url.username !== "" || url.password !== "") throw addressRefused("a URL with a user name or password");
  if (from?.protocol === "https:" && url.protocol === "http:")
    throw addressRefused("a redirect from https to http");
  egress.check(url, from !== undefined);
  if (!allowed.allows(url)) checkHost(url);
  return url;
}

function checkHost(url: URL): void {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (host === "" || host.endsWith(".")) throw addressRefused(`the host name ${JSON.stringify(host)}`);
  // The URL parser has already turned 127.1, 0x7f.1 and 2130706433 into four numbers.
  const port = portOf(url);
  const place = `${url.hostname}:${port}`;
  if (isIP(host) !== 0 && !isPublicAddress(host)) {
    throw addressNotAllowed(place, `${host} is not a public address`);
  }
  // Ports of mail, shells and similar services, whose commands are lines that a request could be made to contain.
  if (!PORTS.has(port) && port < FIRST_FREE_PORT) throw addressNotAllowed(place, `port ${port} is reserved`);
}
