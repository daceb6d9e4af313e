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
  oneOf,
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
/** An unknown role must not become part of a tenant's name or of a key. */
const LOOKS_LIKE_ROLE = new RegExp(`^${OWNER}@[^:]*:`);

export const GatewayConfig = z.object({
  ...commonConfig.shape,
  ...modelConfig("PLANNER"),
  ...modelConfig("EXECUTOR"),
  ...modelConfig("REFLECTOR"),
  HOST: text({ wanted: "a host name or address" }).default("127.0.0.1").meta({
    description:
      "Address that the gateway listens on. Any address other than a loopback address requires PLANWRIGHT_API_KEYS or OIDC_ISSUER.",
  }),
  PORT: port()
    .default(8080)
    .meta({ description: "Port that the gateway listens on. With 0, the operating system chooses one." }),
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
        "API keys that clients send as `Authorization: Bearer`. Each tenant has its own plans. `tenant/name:key` names the owner of the key, who is recorded with decisions and can be named in the policy file. `tenant/name@role:key` gives the key one of the roles viewer, submitter, approver, operator or admin (docs/keys-and-roles.md); the default role is operator. Without API keys and OIDC_ISSUER, no credentials are required.",
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
        "Key that services use to send spans; it permits nothing else. If API keys are set, `npm start` creates one at each start. Spans that are sent with a tenant's key are visible only to that tenant.",
    }),
  PLANWRIGHT_POLICY: text({ wanted: "a JSON file" }).optional().meta({
    description:
      "File with the installation's policy: required approvals, forbidden calls, approvers and maximum budgets (docs/policy.md). The gateway reads it at startup; it applies to plans submitted from then on. Without it, only the submission's own settings apply.",
  }),
  RETENTION_ARCHIVES_AFTER: retentionConfig.RETENTION_ARCHIVES_AFTER,
  PLANWRIGHT_UPLOADS: text({ wanted: "a folder" }).default("examples/data").meta({
    description:
      "Folder of CSV and SQLite files that are uploaded as data sources at startup (docs/data.md).",
  }),
  UPLOADS_PER_TENANT_MAX: integer({ min: 0, max: 100_000, unit: "sources" }).default(200).meta({
    description: "Maximum number of uploaded data sources per tenant. Further uploads are refused.",
  }),
  UPLOAD_BYTES_PER_TENANT_MAX: integer({ min: 0, max: 1_000_000_000_000, unit: "bytes" })
    .default(2 * 1024 * 1024 * 1024)
    .meta({
      description: "Maximum total size of the uploaded data sources per tenant, in bytes. Default: 2 GiB.",
    }),
  TRACE_URL: traceUrl().optional().meta({
    description:
      "URL of a trace in an external viewer, such as `http://localhost:16686/trace/{traceId}`. The dashboard links to it (docs/traces.md).",
  }),
  LEARN_FROM_PAST_PLANS: boolean().default(true).meta({
    description:
      "Whether the planner's model sees how similar plans of the same tenant ended. A submission can opt out with `learn: false`.",
  }),
  FUSION: oneOf(["on", "off"]).default("on").meta({
    description:
      "Whether light steps of a plan that need nothing else run as one work unit on one worker (docs/light-steps.md). It applies to plans submitted from then on.",
  }),
  SUBMISSIONS_IN_FLIGHT_MAX: integer({ min: 1, max: 1_000_000, unit: "submissions" }).default(2_000).meta({
    description:
      "Maximum number of submissions that are being written to the log at the same time. Further submissions get status 429.",
  }),
  OPEN_PLANS_MAX: integer({ min: 1, max: 100_000_000, unit: "plans" }).default(50_000).meta({
    description:
      "Maximum number of unfinished plans of all tenants. Every gateway and the planners keep them in memory. Further submissions get status 429.",
  }),
  WATCHERS_PER_PLAN_MAX: integer({ min: 1, max: 1_000_000, unit: "watchers" }).default(1_000).meta({
    description:
      "Maximum number of clients per gateway that watch the same plan. Further clients are asked to retry later.",
  }),
  READER_STALL: duration({ minMs: 100, maxMs: 3_600_000 }).default(30_000).meta({
    description: "A client that has read nothing from a stream or WebSocket for this long is disconnected.",
  }),
  HTTP_REQUESTS_PER_MINUTE: integer({ min: 1, max: 1_000_000_000, unit: "requests" }).default(600_000).meta({
    description:
      "Maximum number of requests per minute from one tenant, or from one address if no keys are set.",
  }),
  STRICT_RESPONSES: boolean().default(false).meta({
    description:
      "For tests: respond with status 500 if a response does not match its schema. Otherwise the mismatch is logged and the response is sent.",
  }),
});
export type GatewayConfig = z.output<typeof GatewayConfig>;

function isApiKey(entry: string): boolean {
  return (LOOKS_LIKE_ROLE.test(entry) ? API_KEY_WITH_ROLE : API_KEY).test(entry);
}

/** @throws {PermanentError} `keys_needed` when other machines could reach a gateway that requires no key. */
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
