/**
 * Access control: the permission that each route, each WebSocket message and each tool of the MCP server requires.
 *
 * `roles.ts` of `@planwright/plan` says which roles have a permission. The gateway does not start if it has a route that is
 * missing here.
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
  // A model drafts the plan, which costs money.
  previewPlan: "submit",
  checkPlan: "read",
  getContinuity: "read",
  listArtifacts: "read",
  getArtifact: "read",
  listApprovals: "read",
  // The decision itself may require more: see `permissionToDecide`.
  decideApproval: "respond",
  // Each message requires its own permission: see MESSAGE_ACCESS.
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
  // Programs that submit plans send spans for the traces of these plans.
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
  // Each tool requires its own permission: see MCP_ACCESS.
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
  // The decision itself may require more: see `permissionToDecide`.
  plan_approve: "respond",
  plan_cancel: "submit",
} as const satisfies Readonly<Record<string, Permission>>;
export type McpTool = keyof typeof MCP_ACCESS;

/** @throws {Error} If the table has no rule for the endpoint. */
export function accessOf({ id }: Pick<Endpoint, "id">): Access {
  const access = Object.hasOwn(ROUTE_ACCESS, id) ? ROUTE_ACCESS[id] : undefined;
  if (access !== undefined) return access;
  throw new Error(`${id} has no rule in packages/api/src/access.ts: say which permission it needs`);
}
