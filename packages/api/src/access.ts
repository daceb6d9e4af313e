/**
 * Who may do what: the permission that each route, each message of the WebSocket and each tool of the MCP server needs.
 *
 * Which roles have a permission: `roles.ts` of `@planwright/plan`. A gateway with a route that is missing here does not start.
 */
import type { Permission } from "@planwright/plan";
import type { Endpoint } from "./endpoint.ts";
import type { ClientMessage } from "./stream.ts";

/** `public`: needs no key. */
export type Access = Permission | "public";

/** By the id of the endpoint. */
export const ROUTE_ACCESS: Readonly<Record<string, Access>> = {
  submitPlan: "submit",
  listPlans: "read",
  countPlans: "read",
  getPlan: "read",
  getEvents: "read",
  cancelPlan: "submit",
  pausePlan: "submit",
  resumePlan: "submit",
  deletePlan: "operate",
  rerunPlan: "submit",
  getSubmission: "read",
  forkPlan: "submit",
  ratePlan: "respond",
  // A model drafts it, which costs.
  previewPlan: "submit",
  checkPlan: "read",
  getContinuity: "read",
  listArtifacts: "read",
  getArtifact: "read",
  listApprovals: "read",
  // The decision itself may need more: see `permissionToDecide`.
  decideApproval: "respond",
  // Each message needs its own: see MESSAGE_ACCESS.
  openSocket: "read",
  listSources: "read",
  addSource: "submit",
  deleteSource: "operate",
  listDeadLetters: "read",
  getDeadLetter: "read",
  retryDeadLetter: "operate",
  retryDeadLetters: "operate",
  discardDeadLetter: "operate",
  discardDeadLetters: "operate",
  getTrace: "read",
  // Of programs that submit plans, for the traces of these.
  receiveTraces: "submit",
  listTools: "read",
  listWorkers: "read",
  listQuotas: "read",
  listKeys: "administer",
  createKey: "administer",
  revokeKey: "administer",
  endSessions: "administer",
  exportAudit: "administer",
  getMe: "read",
  getSignInOptions: "public",
  signOut: "public",
  getSystem: "read",
  // Calls each model, which costs tokens.
  checkModels: "submit",
  getMetrics: "read",
  getPrometheusMetrics: "read",
  getHealth: "public",
  getReadiness: "public",
  // Each tool needs its own: see MCP_ACCESS.
  callMcp: "read",
  getOpenApi: "public",
  getReference: "public",
};

export const MESSAGE_ACCESS: Readonly<Record<ClientMessage["type"], Permission>> = {
  submit: "submit",
  watch: "read",
  unwatch: "read",
  "watch-plans": "read",
  "unwatch-plans": "read",
  cancel: "submit",
  pause: "submit",
  resume: "submit",
  approve: "decide",
  reject: "respond",
  answer: "respond",
};

export const MCP_ACCESS = {
  plan_submit: "submit",
  plan_preview: "submit",
  plan_status: "read",
  plan_wait: "read",
  // The decision itself may need more: see `permissionToDecide`.
  plan_approve: "respond",
  plan_cancel: "submit",
} as const satisfies Readonly<Record<string, Permission>>;
export type McpTool = keyof typeof MCP_ACCESS;

/** @throws {Error} When the table has no rule for the endpoint. */
export function accessOf({ id }: Pick<Endpoint, "id">): Access {
  const access = Object.hasOwn(ROUTE_ACCESS, id) ? ROUTE_ACCESS[id] : undefined;
  if (access !== undefined) return access;
  throw new Error(`${id} has no rule in packages/api/src/access.ts: say which permission it needs`);
}
