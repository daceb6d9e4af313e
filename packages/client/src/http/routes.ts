/**
 * Method and path of every endpoint.
 *
 * The table is written out so that no schema is loaded at run time. A missing or unknown endpoint does not compile;
 * a test compares methods and paths with the contract.
 */
import type { Answers } from "@planwright/api";

/** The id of an endpoint in the contract and in `/openapi.json`. */
export type EndpointId = keyof Answers;

/** The JSON response of an endpoint. */
export type AnswerOf<Id extends EndpointId> = Answers[Id];

export const ROUTES = {
  submitPlan: "POST /v1/plans",
  listPlans: "GET /v1/plans",
  countPlans: "GET /v1/plans/counts",
  getPlan: "GET /v1/plans/:planId",
  getEvents: "GET /v1/plans/:planId/events",
  cancelPlan: "POST /v1/plans/:planId/cancel",
  pausePlan: "POST /v1/plans/:planId/pause",
  resumePlan: "POST /v1/plans/:planId/resume",
  deletePlan: "DELETE /v1/plans/:planId",
  rerunPlan: "POST /v1/plans/:planId/rerun",
  getSubmission: "GET /v1/plans/:planId/submission",
  forkPlan: "POST /v1/plans/:planId/fork",
  ratePlan: "POST /v1/plans/:planId/feedback",
  previewPlan: "POST /v1/plans/preview",
  checkPlan: "POST /v1/plans/check",
  getContinuity: "GET /v1/plans/:planId/continuity.md",
  listArtifacts: "GET /v1/plans/:planId/artifacts",
  getArtifact: "GET /v1/plans/:planId/artifacts/*",
  listApprovals: "GET /v1/approvals",
  decideApproval: "POST /v1/plans/:planId/approvals/:approvalId",
  openSocket: "GET /v1/ws",
  listSources: "GET /v1/data",
  addSource: "POST /v1/data",
  deleteSource: "DELETE /v1/data/:name",
  listDeadLetters: "GET /v1/dead-letters",
  getDeadLetter: "GET /v1/dead-letters/:id",
  retryDeadLetter: "POST /v1/dead-letters/:id/retry",
  retryDeadLetters: "POST /v1/dead-letters/retry",
  discardDeadLetter: "DELETE /v1/dead-letters/:id",
  discardDeadLetters: "POST /v1/dead-letters/discard",
  listKeys: "GET /v1/keys",
  createKey: "POST /v1/keys",
  revokeKey: "DELETE /v1/keys/:id",
  endSessions: "DELETE /v1/sessions/:user",
  exportAudit: "GET /v1/audit",
  getMe: "GET /v1/me",
  getSignInOptions: "GET /auth/options",
  signOut: "POST /auth/logout",
  getTrace: "GET /v1/plans/:planId/trace",
  receiveTraces: "POST /otlp/v1/traces",
  listTools: "GET /v1/tools",
  listWorkers: "GET /v1/workers",
  listQuotas: "GET /v1/quotas",
  getSystem: "GET /v1/system",
  checkModels: "POST /v1/models/check",
  getMetrics: "GET /v1/metrics",
  getPrometheusMetrics: "GET /metrics",
  getHealth: "GET /healthz",
  getReadiness: "GET /readyz",
  callMcp: "POST /mcp",
  getOpenApi: "GET /openapi.json",
  getReference: "GET /docs",
} as const satisfies Readonly<Record<EndpointId, `${"GET" | "POST" | "DELETE"} /${string}`>>;

/** Calls that leave the same state when sent twice; calls that start plans carry an Idempotency-Key. */
const REPEATABLE: ReadonlySet<EndpointId> = new Set<EndpointId>([
  "submitPlan",
  "rerunPlan",
  "forkPlan",
  "cancelPlan",
  "pausePlan",
  "checkPlan",
  "addSource",
  "signOut",
]);

/** Whether a call can be sent again when it is unknown whether the first one arrived. */
export function isRepeatable(id: EndpointId): boolean {
  return !ROUTES[id].startsWith("POST ") || REPEATABLE.has(id);
}

export type Query = Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;

/**
 * The path of a call, with its parameters and query.
 *
 * @param params - By name; `*` keeps its slashes, everything else is encoded.
 * @throws {TypeError} When a parameter is missing or empty, or would lead to a parent path.
 */
export function pathOf(
  id: EndpointId,
  params: Readonly<Record<string, string>> = {},
  query: Query = {},
): string {
  const [, template = ""] = ROUTES[id].split(" ");
  const path = template.replaceAll(/:(\w+)|\*/g, (_whole, name: string | undefined) => {
    const value = params[name ?? "*"];
    if (typeof value !== "string" || value === "") {
      throw new TypeError(
        `${id}: wanted a non-empty text as ${name ?? "name"}, got ${JSON.stringify(value)}`,
      );
    }
    return name === undefined ? value.split("/").map(encodeSegment).join("/") : encodeSegment(value);
  });
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue;
    for (const one of Array.isArray(value) ? (value as readonly string[]) : [String(value)])
      search.append(name, one);
  }
  return search.size === 0 ? path : `${path}?${search.toString()}`;
}

/** A segment of dots alone cannot be encoded in a URL: it always leads up. */
function encodeSegment(text: string): string {
  if (text === "." || text === "..") throw new TypeError(`${JSON.stringify(text)} cannot be part of a path`);
  return encodeURIComponent(text);
}
