import { getHealth, getReadiness } from "@planwright/api";
import { VERSION } from "@planwright/shared/version";
import { type App, serve } from "../http/contract.ts";

/**
 * `GET /healthz`: the process answers. `GET /readyz`: it can do its work.
 *
 * @param deps.missing - The missing parts, as text; empty when nothing is missing.
 */
export function healthRoutes(
  app: App,
  { missing }: { readonly missing: () => Promise<readonly string[]> },
): void {
  serve(app, getHealth, async () => ({ alive: true as const, version: VERSION }));
  serve(app, getReadiness, async (_request, reply) => {
    const faults = await missing();
    const ready = faults.length === 0;
    return reply.code(ready ? 200 : 503).send({ ready, missing: [...faults] });
  });
}
