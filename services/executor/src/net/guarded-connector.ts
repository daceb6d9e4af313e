/**
 * Connects to public addresses only.
 *
 * The check applies to the addresses that the socket will use, so that a name that resolves differently the second time gains
 * nothing, and again to the address that it did connect to.
 */
import type { LookupAddress, LookupOptions } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { buildConnector } from "undici";
import { addressNotAllowed } from "./address-refused.ts";
import { isPublicAddress } from "./public-address.ts";

/** All addresses of a name, as `dns.lookup` with `all` returns them. */
export type Resolve = (
  hostname: string,
  options: LookupOptions & { all: true },
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

export type GuardSettings = {
  readonly resolve: Resolve;
  readonly timeoutMs: number;
  /** Addresses that are allowed; `isPublicAddress` by default. */
  readonly isPublic?: (address: string) => boolean;
};

/** A connector for undici's `Agent`; it fails with the error of `addressRefused`. */
export function guardedConnector(settings: GuardSettings): buildConnector.connector {
  const { isPublic = isPublicAddress } = settings;
  const connect = buildConnector({
    timeout: settings.timeoutMs,
    lookup: guardedLookup(settings.resolve, isPublic),
    allowH2: false,
  });
  return (options, callback) => {
    const host = options.hostname.replace(/^\[|\]$/g, "");
    const refusal = (what: string): Error => addressNotAllowed(placeOf(options), what);
    if (isIP(host) !== 0 && !isPublic(host)) {
      callback(refusal(`${host} is not a public address`), null);
      return;
    }
    connect(options, (...[error, socket]) => {
      if (error !== null)
        return callback(error instanceof PrivateName ? refusal(error.message) : error, null);
      if (isPublic(socket.remoteAddress ?? "")) return callback(null, socket);
      socket.destroy();
      callback(refusal(`${host} resolves to an address that is not public`), null);
    });
  };
}

/** A name that resolves to a private address. The lookup does not know the port, which is needed to check the allow list. */
class PrivateName extends Error {
  override readonly name = "PrivateName";
}

function placeOf({ hostname, port, protocol }: buildConnector.Options): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

function guardedLookup(resolve: Resolve, isPublic: (address: string) => boolean): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, "");
      const [first] = addresses;
      // One bad address among good ones is enough: we do not control which one is tried.
      const refused = addresses.find(({ address }) => !isPublic(address));
      if (refused !== undefined || first === undefined) {
        return callback(
          new PrivateName(`${hostname} resolves to ${refused?.address ?? "no address"}, which is not public`),
          "",
        );
      }
      if (options.all === true) return callback(null, addresses);
      callback(null, first.address, first.family);
    });
  };
}
