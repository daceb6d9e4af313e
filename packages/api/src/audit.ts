/** The audit log: who did what on what, when, from where, and with which outcome. */
import { z } from "zod";
import { defineEndpoint } from "./endpoint.ts";

const AuditQuery = z.object({
  after: z.coerce
    .number()
    .pipe(z.int().nonnegative())
    .default(0)
    .meta({ description: "The number of the last entry already known." }),
});

export const exportAudit = defineEndpoint({
  id: "exportAudit",
  method: "GET",
  path: "/v1/audit",
  tag: "keys",
  summary: "Export the audit log of the tenant",
  description:
    "One `AuditEntry` on each line, the oldest first; an `AuditBreak` where the log holds a message that is none. See docs/audit.md for its hash chain.",
  query: AuditQuery,
  responses: {
    200: { mediaTypes: ["application/x-ndjson"], description: "One entry on each line." },
  },
  problems: ["keys_not_set"],
});
