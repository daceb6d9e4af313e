/** The gateway's settings. */
import { ROLES } from "@planwright/plan";
import { PermanentError } from "@planwright/shared/errors";
import {
  apiKeyOf,
  boolean,
  commonConfig,
  duration,
  integer,
  modelConfig,
  port,
  retentionConfig,
  text,
} from "@planwright/shared/service";
import { z } from "zod";
import { isLoopback } from "./http/loopback.ts";
import { oidcConfig } from "./oidc/oidc-config.ts";
import { traceUrl } from "./traces/trace-url.ts";

const OWNER = String.raw`[\w-]{1,64}(?:/[\w-]{1,64})?`;
const KEY = String.raw`[^\s,:][^\s,]*$`;
/** `owner:key`, or a key alone. The owner is `tenant` or `tenant/name`. */
const API_KEY = new RegExp(`^(?:${OWNER}:)?${KEY}`);
const API_KEY_WITH_ROLE = new RegExp(`^${OWNER}@(?:${ROLES.join("|")}):${KEY}`);
/** A role that does not exist must not become part of a tenant's name, or of a key. */
const LOOKS_LIKE_ROLE = new RegExp(`^${OWNER}@[^:]*:`);

export const GatewayConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("PLANNER"),
  ...modelConfig("EXECUTOR"),
  ...modelConfig("REFLECTOR"),
  HOST: text({ wanted: "a host name or address" }).default("127.0.0.1").meta({
    description:
      "Where the gateway listens. Any but a loopback address needs PLANWRIGHT_API_KEYS or OIDC_ISSUER.",
  }),
  PORT: port()
    .default(8080)
    .meta({ description: "The port the gateway listens on; 0 lets the system choose." }),
  PLANWRIGHT_API_KEYS: z
    .string()
    .transform((value) => value.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(isApiKey))
    .transform((entries) => entries.map(apiKeyOf))
    .default([])
    .meta({
      wanted:
        "keys separated by commas, each `key`, `tenant:key` or `tenant/name:key`, with `@role` before the colon for one of the roles viewer, submitter, approver, operator, admin",
      secret: true,
      description:
        "The keys that clients send as `Authorization: Bearer`; each tenant has its own plans. `tenant/name:key` names the key's owner, whom decisions record and the policy file can name. `tenant/name@role:key` has one of the roles viewer, submitter, approver, operator or admin (docs/keys-and-roles.md); without a role, operator. Without any, and without OIDC_ISSUER, everyone is let in.",
    }),
  ...oidcConfig,
  PLANWRIGHT_TRACE_RECEIVER_KEY: z
    .string()
    .regex(/^[\w-]{16,200}$/)
    .optional()
    .meta({
      wanted: "16 to 200 letters, digits, - or _",
      secret: true,
      description:
        "The key that services send spans with, which opens nothing else; with API keys, `npm start` makes one for each start. Spans that come with a tenant's key are shown to that tenant only.",
    }),
  PLANWRIGHT_POLICY: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "The file with the installation's policy: the least that needs approval, what is forbidden, who may approve, the largest budget (docs/policy.md). It holds for plans that are submitted from then on. Without it, the submission alone decides.",
  }),
  RETENTION_ARCHIVES_AFTER: retentionConfig.RETENTION_ARCHIVES_AFTER,
  PLANWRIGHT_UPLOADS: text({ wanted: "a folder" }).default("examples/data").meta({
    description: "Folder of CSV and SQLite files that are uploaded as data sources at start (docs/data.md).",
  }),
  UPLOADS_PER_TENANT_MAX: integer({ min: 0, max: 100_000, unit: "sources" }).default(200).meta({
    description: "Data sources that one tenant may have uploaded at a time; further uploads are refused.",
  }),
  UPLOAD_BYTES_PER_TENANT_MAX: integer({ min: 0, max: 1_000_000_000_000, unit: "bytes" })
    .default(2 * 1024 * 1024 * 1024)
    .meta({
      description: "Bytes of all data sources that one tenant may have uploaded at a time; default 2 GiB.",
    }),
  TRACE_URL: traceUrl().optional().meta({
    description:
      "Where another viewer shows a trace, such as `http://localhost:16686/trace/{traceId}`: the page links there (docs/traces.md).",
  }),
  LEARN_FROM_PAST_PLANS: boolean().default(true).meta({
    description:
      "Whether planners are shown how similar plans of the same tenant ended; a submission can refuse it by `learn: false`.",
  }),
  SUBMISSIONS_IN_FLIGHT_MAX: integer({ min: 1, max: 1_000_000, unit: "submissions" }).default(2_000).meta({
    description:
      "Submissions that may be on their way to the log at once; above, they are answered with 429.",
  }),
  OPEN_PLANS_MAX: integer({ min: 1, max: 100_000_000, unit: "plans" }).default(50_000).meta({
    description:
      "Plans that may be open at once, of all tenants: every gateway and the planners keep them in memory. Above, submissions are answered with 429.",
  }),
  WATCHERS_PER_PLAN_MAX: integer({ min: 1, max: 1_000_000, unit: "watchers" }).default(1_000).meta({
    description: "How many clients of one gateway may watch one plan; the next one is asked to come again.",
  }),
  READER_STALL: duration({ minMs: 100, maxMs: 3_600_000 }).default(30_000).meta({
    description: "A client that has read nothing of a stream or WebSocket for so long is cut off.",
  }),
  HTTP_REQUESTS_PER_MINUTE: integer({ min: 1, max: 1_000_000_000, unit: "requests" })
    .default(600_000)
    .meta({ description: "What one tenant, or one address where no keys are set, may ask in a minute." }),
  STRICT_RESPONSES: boolean().default(false).meta({
    description:
      "For tests: an answer that does not fit its schema is answered with 500. Otherwise it is logged and sent.",
  }),
});
export type GatewayConfig = z.output<typeof GatewayConfig>;

function isApiKey(entry: string): boolean {
  return (LOOKS_LIKE_ROLE.test(entry) ? API_KEY_WITH_ROLE : API_KEY).test(entry);
}

/** @throws {PermanentError} `keys_needed` when strangers could reach a gateway that asks for no key. */
export function refuseOpenDoor(config: GatewayConfig): void {
  const { HOST } = config;
  if (needsCredentials(config) || isLoopback(HOST)) return;
  throw new PermanentError(
    `HOST=${HOST} lets other machines in: set PLANWRIGHT_API_KEYS or OIDC_ISSUER, or listen on 127.0.0.1`,
    { code: "keys_needed" },
  );
}

/** Whether requests need a key, a token or a session. */
export function needsCredentials({
  PLANWRIGHT_API_KEYS,
  OIDC_ISSUER,
}: Pick<GatewayConfig, "PLANWRIGHT_API_KEYS" | "OIDC_ISSUER">): boolean {
  return PLANWRIGHT_API_KEYS.length > 0 || OIDC_ISSUER !== undefined;
}
