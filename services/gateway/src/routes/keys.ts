import { Readable } from "node:stream";
import { createKey, exportAudit, listKeys, revokeKey } from "@planwright/api";
import type { ApiKey } from "@planwright/shared/service";
import type { FastifyReply } from "fastify";
import type { AuditLog } from "../audit/audit-log.ts";
import { type App, serve } from "../http/contract.ts";
import { Problem } from "../http/problem.ts";
import type { ManagedKeys } from "../keys/managed-keys.ts";
import { infoOf } from "../keys/key-record.ts";

/** `GET` and `POST /v1/keys`, `DELETE /v1/keys/:id`: the keys of the tenant, for its admins. */
export function keyRoutes(
  app: App,
  { keys, configured }: { readonly keys: ManagedKeys; readonly configured: readonly ApiKey[] },
): void {
  serve(app, listKeys, async ({ tenant, identity }, reply) => {
    requireKeys(identity);
    const own = configured.filter((key) => key.tenant === tenant);
    return reply.header("cache-control", "no-store").send({
      keys: keys.list(tenant).map(infoOf),
      configured: own.map(({ identity: of, role }) => ({ identity: of, role })),
    });
  });

  serve(app, createKey, async ({ tenant, identity, body }, reply) => {
    const { record, key } = await keys.create({ tenant, by: requireKeys(identity) }, body);
    return reply
      .code(201)
      .header("cache-control", "no-store")
      .send({ ...infoOf(record), key });
  });

  serve(app, revokeKey, async ({ tenant, identity, params: { id } }, reply) => {
    requireKeys(identity);
    await keys.revoke(tenant, id);
    return reply.code(204).send();
  });
}

/** Refuses when no keys are set: everyone is admitted then, and a managed key would have no effect. */
export function requireKeys(identity: string | undefined): string {
  if (identity !== undefined) return identity;
  throw new Problem(
    "keys_not_set",
    "this gateway requires no key: set PLANWRIGHT_API_KEYS with an admin key, such as default@admin:KEY, or OIDC_ISSUER, and restart it",
  );
}

/** `GET /v1/audit`: the tenant's audit log, one entry per line. */
export function auditRoute(app: App, { auditLog }: { readonly auditLog: Pick<AuditLog, "read"> }): void {
  serve(app, exportAudit, async ({ tenant, identity, query: { after } }, reply) => {
    requireKeys(identity);
    const sent: FastifyReply = reply;
    void sent.type("application/x-ndjson").header("cache-control", "no-store");
    return sent.send(Readable.from(linesOf(auditLog.read(tenant, after))));
  });
}

async function* linesOf(entries: AsyncIterable<unknown>): AsyncGenerator<string> {
  for await (const entry of entries) yield `${JSON.stringify(entry)}\n`;
}
