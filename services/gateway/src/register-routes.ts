/** Every route of the gateway, each in a separate file. */
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { ServerMessage } from "@planwright/api";
import { PlanEvent, type ToolSpec } from "@planwright/plan";
import type { ArtifactStore } from "@planwright/shared/artifacts";
import type { Redaction } from "@planwright/shared/redaction";
import { createDecideApproval } from "./approvals/decide-approval.ts";
import type { AuditLog } from "./audit/audit-log.ts";
import { auditRequests } from "./audit/audit-requests.ts";
import { createAuditor } from "./audit/auditor.ts";
import type { PlanBook } from "./book/plan-book.ts";
import { type GatewayConfig, needsCredentials } from "./config.ts";
import type { SourceStore } from "./data/source-store.ts";
import { createGiveFeedback } from "./plans/give-feedback.ts";
import { createForkPlan } from "./submit/fork-plan.ts";
import { createCheckSent } from "./http/check-response.ts";
import type { App } from "./http/contract.ts";
import type { RequestSpanDeps } from "./http/request-span.ts";
import type { ManagedKeys } from "./keys/managed-keys.ts";
import { tallyRequests } from "./metrics/http-tally.ts";
import type { SignIn } from "./oidc/open-sign-in.ts";
import { createCancelPlan } from "./plans/cancel-plan.ts";
import { createDeletePlan } from "./plans/delete-plan.ts";
import { createPausePlan, createResumePlan } from "./plans/pause-plan.ts";
import { withSubPlansPaused, withSubPlansResumed } from "./plans/pause-sub-plans.ts";
import { createPreviewPlan } from "./submit/preview-plan.ts";
import { createQuotas, type QuotasFor } from "./quotas/create-quotas.ts";
import { createRerunPlan } from "./submit/rerun-plan.ts";
import { apiReferenceRoutes } from "./routes/api-reference.ts";
import { artifactRoutes } from "./routes/artifacts.ts";
import { dashboardRoutes } from "./routes/dashboard.ts";
import { dataRoutes } from "./routes/data.ts";
import { deadLetterRoutes } from "./routes/dead-letters.ts";
import { docsSiteRoutes } from "./routes/docs-site.ts";
import { createStoreProbe, healthRoutes, type StoreProbe } from "./routes/health.ts";
import { auditRoute, keyRoutes } from "./routes/keys.ts";
import { mcpRoute } from "./mcp/mcp-route.ts";
import { type MetricsDeps, metricsRoute } from "./routes/metrics.ts";
import { planEventsRoute } from "./routes/plan-events.ts";
import { planRequestRoutes } from "./routes/plan-requests.ts";
import { planRoutes } from "./routes/plans.ts";
import { signInRoutes } from "./routes/sign-in.ts";
import { socketRoute } from "./routes/socket.ts";
import { submitRoutes } from "./routes/submit.ts";
import { modelRoutes, systemRoutes } from "./routes/system.ts";
import { traceRoutes } from "./routes/traces.ts";
import { createAdmission } from "./submit/admission.ts";
import type { Offer } from "./submit/check-submission.ts";
import { HEADROOM_BYTES } from "./submit/store-goal.ts";
import { createSubmitPlan, type SubmitDeps } from "./submit/submit-plan.ts";
import { createReadQueues } from "./workers/pool-queues.ts";
import type { WorkerRoll } from "./workers/worker-roll.ts";

const DASHBOARD = path.resolve(import.meta.dirname, "../../../packages/dashboard/dist");
const DOCS_SITE = path.resolve(import.meta.dirname, "../../../packages/docs-site/dist");
const NATS_PING_MS = 1_000;

export type RouteDeps = Omit<SubmitDeps, "book" | "admission" | "quotas" | "learns" | "fusion"> &
  RequestSpanDeps &
  Omit<MetricsDeps, "http" | "queues" | "quotas"> & {
    readonly config: GatewayConfig;
    readonly quotasFor: QuotasFor;
    readonly book: PlanBook;
    readonly artifacts: ArtifactStore;
    readonly data: SourceStore;
    /** The tools and agents available to all tenants. */
    readonly capabilities: () => Pick<Offer, "tools" | "agents">;
    /** Redaction of plans, by the users' role. */
    readonly redaction: Redaction;
    readonly workers: WorkerRoll;
    readonly keys: ManagedKeys;
    /** Undefined where users cannot sign in with an identity provider. */
    readonly signIn: SignIn | undefined;
    readonly auditLog: AuditLog;
    /** The digest of the agent types' file; absent when there is none. */
    readonly agentsDigest: () => string | undefined;
    /** Aborts when live connections have to close. */
    readonly stopping: AbortSignal;
  };

export async function registerRoutes(app: App, deps: RouteDeps): Promise<void> {
  const { config, bus, book, publish, offer, capabilities, artifacts, traces } = deps;
  const { telemetry, sampler, random, now, redaction, log, stopping } = deps;
  const stallMs = config.READER_STALL;
  const tracing = { telemetry, sampler, random };
  const admission = createAdmission({
    inFlightMax: config.SUBMISSIONS_IN_FLIGHT_MAX,
    openPlansMax: config.OPEN_PLANS_MAX,
    openPlans: () => book.openPlans,
  });
  const quotas = createQuotas({ quotasFor: deps.quotasFor, book, now });
  const { LEARN_FROM_PAST_PLANS: learns, FUSION: fusion } = config;
  const submit = createSubmitPlan({ ...deps, admission, quotas, learns, fusion });
  const asking = { bus, book, publish, now };
  const cancel = createCancelPlan(asking);
  const pause = withSubPlansPaused(asking, createPausePlan(asking));
  const resume = withSubPlansResumed(asking, createResumePlan(asking));
  const tools = () => capabilities().tools;
  const decide = createDecideApproval({
    ...asking,
    offer: capabilities,
    redaction,
    bytesMax: bus.payloadBytesMax - HEADROOM_BYTES,
  });

  const preview = createPreviewPlan({ bus, offer, book, quotas, learns, now });
  const fork = createForkPlan({ ...deps, admission, quotas, learns, fusion });

  const { checkEvent, checkMessage } = checksOf(config);
  const queues = createReadQueues(bus, () => performance.now());
  const http = tallyRequests(app);
  const auditor = createAuditor({ auditLog: deps.auditLog, now, log });
  auditRequests(app, auditor);
  const rerun = createRerunPlan({ book, submit });
  submitRoutes(app, { book, submit, fork, rerun, preview, offer: capabilities, tracing });
  planRoutes(app, { book, now, stopping });
  planEventsRoute(app, { book, redaction, auditor, stallMs, stopping, check: checkEvent });
  const erase = createDeletePlan(asking);
  planRequestRoutes(app, { cancel, pause, resume, decide, erase, giveFeedback: createGiveFeedback(asking) });
  artifactRoutes(app, { book, artifacts, redaction });
  await traceRoutes(app, { book, traces });
  const controls = { submit, cancel, pause, resume, decide };
  const live = { book, redaction, auditor, ...controls, tracing, now, log, stopping };
  socketRoute(app, { ...live, checkMessage, stallMs });
  mcpRoute(app, { ...live, preview });
  deadLetterRoutes(app, { ...asking, redaction, log });
  const sourcesOf = (tenant: string) => offer(tenant).sources;
  await dataRoutes(app, { store: deps.data, sourcesOf, log, folder: config.PLANWRIGHT_UPLOADS });
  modelRoutes(app, { bus });
  systemRoutes(app, { ...deps, offer: capabilities, queues, quotas });
  auditRoute(app, deps);
  keyRoutes(app, { keys: deps.keys, configured: config.PLANWRIGHT_API_KEYS });
  signInRoutes(app, { signIn: deps.signIn, auditor, hasKeys: needsCredentials(config) });
  const probe = createStoreProbe(bus, () => performance.now());
  healthRoutes(app, { missing: () => whatIsMissing({ bus, book, probe }, tools()) });
  metricsRoute(app, { ...deps, http, queues, quotas });
  apiReferenceRoutes(app, { withKeys: needsCredentials(config) });
  await dashboardRoutes(app, { folder: DASHBOARD });
  docsSiteRoutes(app, { folder: DOCS_SITE });
}

/** In tests, checks the messages of streams and sockets against these schemas. */
function checksOf({ STRICT_RESPONSES: strict }: GatewayConfig) {
  return {
    checkEvent: createCheckSent({ Schema: PlanEvent, what: "an event" }, { strict }),
    checkMessage: createCheckSent({ Schema: ServerMessage, what: "a message" }, { strict }),
  };
}

async function whatIsMissing(
  { bus, book, probe }: Pick<RouteDeps, "bus" | "book"> & { readonly probe: StoreProbe },
  tools: ReadonlyMap<string, ToolSpec>,
): Promise<string[]> {
  const answer = bus.connection.rtt().then(
    () => true,
    () => false,
  );
  const connected = await Promise.race([answer, delay(NATS_PING_MS, false, { ref: false })]);
  const missing: string[] = [];
  const fault = connected ? await probe() : "NATS does not answer";
  if (fault !== undefined) missing.push(fault);
  if (book.lag !== undefined) missing.push(book.lag);
  if (tools.size === 0) missing.push("no executor has announced its tools");
  return missing;
}
