import { isLoopback } from "./loopback.ts";
import { Problem } from "./problem.ts";

type BrowserHeaders = {
  readonly host: string | undefined;
  readonly origin: string | undefined;
  /** `Sec-Fetch-Site`: how the requesting page's site relates to this one, as sent by the browser. */
  readonly site?: string | undefined;
  /** `Sec-Fetch-Mode`: `navigate` when a user follows a link. */
  readonly mode?: string | undefined;
};

/**
 * Refuses requests that a page of another site made a browser send. Only browsers send `Origin`, and they always do with a
 * WebSocket or a request that may change something. `Sec-Fetch-Site` identifies the requesting page: users may follow a link from
 * another site, but its pages cannot change anything, open a WebSocket, or load anything from here, not even an image.
 *
 * @param options.changes - Whether the request could change something, or reads over a WebSocket.
 * @param options.publicOrigin - The origin at which browsers reach the gateway, if configured: a proxy may send another `Host`.
 * @param options.localOnly - Whether everyone is admitted because only this machine can connect. Then a name that an attacker had
 * resolved to this machine (DNS rebinding) is refused.
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
  // A form on another site navigates too, and can send any headers it likes.
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
 * Refuses requests that another page made a browser send with a session. Unlike keys, browsers attach cookies automatically, so
 * only the gateway's own page may change anything with them, and it must identify itself.
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
