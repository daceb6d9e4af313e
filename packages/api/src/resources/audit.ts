/** The audit log: who did what to which object, when, from where, and with what outcome. */
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";

const AuditQuery = z.object({
  after: z.coerce
    .number()
    .pipe(z.int().nonnegative())
    .default(0)
    .meta({ description: "Number of the last entry that you have received." }),
});

export const exportAudit = defineEndpoint({
  id: "exportAudit",
  method: "GET",
  path: "/v1/audit",
  tag: "keys",
  summary: "Export the audit log of the tenant",
  description:
    "Returns one `AuditEntry` per line, oldest first, and an `AuditBreak` where the log contains an unreadable message. For the hash chain, see docs/audit.md.",
  query: AuditQuery,
  responses: {
    200: { mediaTypes: ["application/x-ndjson"], description: "One entry per line." },
  },
  problems: ["keys_not_set"],
});
