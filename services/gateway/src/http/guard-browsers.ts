import { isLoopback } from "./loopback.ts";
import { Problem } from "./problem.ts";

type BrowserHeaders = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: the relation of the requesting page's site, as sent by the browser. */
  readonly site?: string | undefined;
  /** `Sec-Fetch-Mode`: `navigate` when a user follows a link. */
  readonly mode?: string | undefined;
};

/**
 * Refuses what a page of another site made a browser send. Only browsers send `Origin`, and always with a
 * WebSocket or a request that may change something. By `Sec-Fetch-Site` they say whose page asks: a link from another
 * site may be followed, but no such page changes anything, opens a WebSocket or loads anything from here, be it a picture.
 *
 * @param options.changes - Whether the request could change something, or reads over a WebSocket.
 * @param options.publicOrigin - Where browsers reach the gateway, when the settings say so: a proxy may send another `Host`.
 * @param options.localOnly - Whether everyone is let in because only this machine can connect. A name that a
 *   attacker had resolved to this machine (DNS rebinding) is refused then.
 * @throws {Problem} `foreign_origin`, `foreign_host`
 */
export function refuseForeignPages(
  { host, origin, site, mode }: BrowserHeaders,
  {
    changes,
    localOnly,
    publicOrigin,
  }: { readonly changes: boolean; readonly localOnly: boolean; readonly publicOrigin?: string | undefined },
): void {
  if (localOnly && !isLoopback(hostName(host))) {
    throw new Problem(
      "foreign_host",
      `this gateway only accepts the hosts 127.0.0.1 and localhost, not ${JSON.stringify((host ?? "").slice(0, 80))}`,
    );
  }
  // A form of another site navigates too, and sends any headers it likes.
  if (site === "cross-site" && (changes || mode !== "navigate")) {
    throw new Problem(
      "foreign_origin",
      "requests from pages of other sites are refused: use the gateway's own page",
    );
  }
  if (!changes || origin === undefined) return;
  if (URL.parse(origin)?.host === host?.toLowerCase() || origin === publicOrigin) return;
  throw new Problem(
    "foreign_origin",
    `requests from ${JSON.stringify(origin.slice(0, 200))} are refused: use the gateway's own page`,
  );
}

/**
 * Refuses what another page made a browser do with a session. Browsers send cookies by themselves, unlike keys: only the
 * gateway's own page may change something with them, and it must say that it is.
 *
 * @throws {Problem} `foreign_origin`
 */
export function refuseForeignSession({ origin }: Pick<BrowserHeaders, "origin">, publicOrigin: string): void {
  if (origin === publicOrigin) return;
  throw new Problem(
    "foreign_origin",
    `with a session, only pages of ${publicOrigin} may make changes; the Origin is ${JSON.stringify((origin ?? "").slice(0, 200))}`,
  );
}

function hostName(host: string | undefined): string {
  return URL.parse(`http://${host ?? ""}`)?.hostname ?? "";
}
