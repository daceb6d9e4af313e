/** Every call of the HTTP interface, in the order of the reference. */
import { decideApproval, listApprovals } from "./approvals.ts";
import { getArtifact, listArtifacts } from "./artifacts.ts";
import { exportAudit } from "./audit.ts";
import { addSource, deleteSource, listSources } from "./data.ts";
import {
  discardDeadLetter,
  discardDeadLetters,
  getDeadLetter,
  listDeadLetters,
  retryDeadLetter,
  retryDeadLetters,
} from "./dead-letters.ts";
import type { Endpoint } from "./endpoint.ts";
import { getEvents } from "./events.ts";
import { createKey, listKeys, revokeKey } from "./keys.ts";
import { getMetrics, getPrometheusMetrics } from "./metrics.ts";
import { countPlans, listPlans } from "./plan-list.ts";
import { cancelPlan, deletePlan, getContinuity, getPlan, pausePlan, ratePlan, resumePlan } from "./plans.ts";
import { listQuotas } from "./quotas.ts";
import { endSessions, getMe, getSignInOptions, signOut } from "./sign-in.ts";
import { openSocket } from "./stream.ts";
import { checkPlan, forkPlan, getSubmission, previewPlan, rerunPlan, submitPlan } from "./submissions.ts";
import {
  callMcp,
  checkModels,
  getHealth,
  getOpenApi,
  getReadiness,
  getReference,
  getSystem,
} from "./system.ts";
import { listTools } from "./tools.ts";
import { getTrace, receiveTraces } from "./traces.ts";
import { listWorkers } from "./workers.ts";

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
