/** The tenant's audit log, for its admins. */
import type { AuditBreak, AuditEntry } from "@planwright/api";
import type { Transport } from "../http/transport.ts";
import type { RequestOptions } from "../options.ts";

export type AuditQuery = {
  /** The number of the last entry already known; default 0. */
  readonly after?: number | undefined;
};

export type AuditApi = {
  /**
   * The entries, oldest first, with anything between them that is not an entry. `verifyAudit` of the gateway's repository, or
   * `planwright audit --verify`, checks them.
   */
  list(query?: AuditQuery, options?: RequestOptions): Promise<readonly (AuditEntry | AuditBreak)[]>;
  /** The entries as NDJSON (one per line), for storage. */
  text(query?: AuditQuery, options?: RequestOptions): Promise<string>;
};

export function auditOf(transport: Transport): AuditApi {
  const text: AuditApi["text"] = ({ after } = {}, options) =>
    transport.text("exportAudit", {
      ...options,
      query: { after },
      headers: { accept: "application/x-ndjson" },
    });
  return {
    text,
    list: async (query, options) => {
      const lines = (await text(query, options)).split("\n").filter((line) => line !== "");
      return lines.map((line) => JSON.parse(line) as AuditEntry | AuditBreak);
    },
  };
}
