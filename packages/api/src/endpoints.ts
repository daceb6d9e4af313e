/** Every call of the HTTP interface, in the order of the reference. */
import { decideApproval, listApprovals } from "./resources/approvals.ts";
import { getArtifact, listArtifacts } from "./resources/artifacts.ts";
import { exportAudit } from "./resources/audit.ts";
import { addSource, deleteSource, listSources } from "./resources/data.ts";
import {
  discardDeadLetter,
  discardDeadLetters,
  getDeadLetter,
  listDeadLetters,
  retryDeadLetter,
  retryDeadLetters,
} from "./resources/dead-letters.ts";
import type { Endpoint } from "./endpoint.ts";
import { getEvents } from "./events.ts";
import { createKey, listKeys, revokeKey } from "./resources/keys.ts";
import { getMetrics, getPrometheusMetrics } from "./resources/metrics.ts";
import { countPlans, listPlans } from "./resources/plan-list.ts";
import {
  cancelPlan,
  deletePlan,
  getContinuity,
  getPlan,
  pausePlan,
  ratePlan,
  resumePlan,
} from "./resources/plans.ts";
import { listQuotas } from "./resources/quotas.ts";
import { endSessions, getMe, getSignInOptions, signOut } from "./resources/sign-in.ts";
import { openSocket } from "./stream.ts";
import {
  checkPlan,
  forkPlan,
  getSubmission,
  previewPlan,
  rerunPlan,
  submitPlan,
} from "./resources/submissions.ts";
import {
  callMcp,
  checkModels,
  getHealth,
  getOpenApi,
  getReadiness,
  getReference,
  getSystem,
} from "./resources/system.ts";
import { listTools } from "./resources/tools.ts";
import { getTrace, receiveTraces } from "./resources/traces.ts";
import { listWorkers } from "./resources/workers.ts";

export const ENDPOINTS: readonly Endpoint[] = [
  submitPlan,
  listPlans,
  countPlans,
  getPlan,
  getEvents,
  cancelPlan,
  pausePlan,
  resumePlan,
  deletePlan,
  rerunPlan,
  getSubmission,
  forkPlan,
  ratePlan,
  previewPlan,
  checkPlan,
  getContinuity,
  listArtifacts,
  getArtifact,
  listApprovals,
  decideApproval,
  openSocket,
  listSources,
  addSource,
  deleteSource,
  listDeadLetters,
  getDeadLetter,
  retryDeadLetter,
  retryDeadLetters,
  discardDeadLetter,
  discardDeadLetters,
  listKeys,
  createKey,
  revokeKey,
  endSessions,
  exportAudit,
  getMe,
  getSignInOptions,
  signOut,
  getTrace,
  receiveTraces,
  listTools,
  listWorkers,
  listQuotas,
  getSystem,
  checkModels,
  getMetrics,
  getPrometheusMetrics,
  getHealth,
  getReadiness,
  callMcp,
  getOpenApi,
  getReference,
];
