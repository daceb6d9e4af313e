import { exportAudit } from "@planwright/api";
import type { FastifyReply } from "fastify";
import { Readable } from "node:stream";
import type { AuditLog } from "../audit/audit-log.ts";
import { type App, serve } from "../http/contract.ts";
import { requireKeys } from "./keys.ts";

/** `GET /v1/audit`: the audit log of the tenant, one entry on each line. */
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
