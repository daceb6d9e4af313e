import { Agent, type Dispatcher } from "undici";
import type { AllowList } from "./allow-list.ts";
import { guardedConnector, type Resolve } from "./guarded-connector.ts";

/** The dispatcher for requests to a URL: only to public addresses, unless its host and port are allowed. */
export function createDispatchers({
  allowed,
  limits,
  resolve,
}: {
  readonly allowed: AllowList;
  readonly limits: { readonly connectMs: number; readonly headersMs: number; readonly idleMs: number };
  readonly resolve: Resolve;
}): (url: URL) => Dispatcher {
  const timeouts = { headersTimeout: limits.headersMs, bodyTimeout: limits.idleMs, keepAliveTimeout: 1_000 };
  const guarded = new Agent({
    ...timeouts,
    connect: guardedConnector({ resolve, timeoutMs: limits.connectMs }),
  });
  const open = new Agent({ ...timeouts, connect: { timeout: limits.connectMs }, allowH2: false });
  return (url) => (allowed.allows(url) ? open : guarded);
}
