import { type TenantQuotas, ToolSpec } from "@planwright/plan";
import { natsAccess } from "@planwright/shared/access";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  bucketStream,
  type Bus,
  connectBus,
  createPublish,
  keepDemandRoll,
  openRegistry,
  requireStreams,
  STREAMS,
} from "@planwright/shared/bus";
import {
  type Logger,
  type RunningService,
  type ServiceDeps,
  TENANT_DEFAULT,
} from "@planwright/shared/service";
import {
  createPlanSampler,
  type PlanSampler,
  pooledRandomBytes,
  type Telemetry,
  telemetryFromConfig,
} from "@planwright/shared/telemetry";
import { DataSource, openAgentRegistry, sourcesOfTenant } from "@planwright/shared/tools";
import { setTimeout as delay } from "node:timers/promises";
import { openAuditLog } from "./audit/audit-log.ts";
import type { OnDeleted } from "./book/follow-plans.ts";
import { openPlanBook, type PlanBookOptions } from "./book/plan-book.ts";
import { type GatewayConfig, needsCredentials, refuseOpenDoor } from "./config.ts";
import { assignOldUploads, registerFolder } from "./data/register-folder.ts";
import { createSourceStore, type SourceStore, type SourceStoreDeps } from "./data/source-store.ts";
import { startUploadSweep } from "./data/sweep-uploads.ts";
import { createAuthenticate } from "./http/authenticate.ts";
import type { App } from "./http/contract.ts";
import { type AppOptions, createApp } from "./http/create-app.ts";
import { listen } from "./http/listen.ts";
import { isLoopback } from "./http/loopback.ts";
import { createFactTally } from "./metrics/fact-tally.ts";
import { keepModelTally } from "./metrics/model-tally.ts";
import { openManagedKeys, type ManagedKeys } from "./keys/managed-keys.ts";
import { oidcSettings } from "./oidc/oidc-config.ts";
import type { Oidc } from "./oidc/open-sign-in.ts";
import { type ReadPolicy, readPolicy, warnOfApprovers } from "./submit/read-policy.ts";
import { warnOfRules } from "./redaction/warn-of-rules.ts";
import { registerRoutes, type RouteDeps } from "./register-routes.ts";
import type { Offer } from "./submit/check-submission.ts";
import type { ModelOffer } from "./submit/price-budget.ts";
import { isDemoModel } from "./submit/refuse-code.ts";
import { keepTraces, type Traces } from "./traces/keep-traces.ts";
import { keepWorkerRoll, slotsOf } from "./workers/worker-roll.ts";

/** How long startup waits for the list of plans; a longer log is read while requests are already served. */
const CATCH_UP_MS = 2_000;
/** How long requests in progress may take when the gateway stops. */
const CLOSE_GRACE_MS = 5_000;

/** Buckets that keys and sessions depend on. */
const KEPT = [BUCKETS.keys, BUCKETS.endedSessions];
/** How the identity provider is reached. */
const PROVIDER = { fetch: globalThis.fetch, now: () => new Date(), monotonicMs: () => performance.now() };

/** Opens the gateway's dependencies, then its listeners. Disposing it closes them in the opposite order. */
export async function startGateway(deps: ServiceDeps<GatewayConfig>): Promise<RunningService> {
  const { config, log, redaction, signal } = deps;
  refuseOpenDoor(config);
  const policy = await openPolicy(config, log);
  warnOfRules(redaction, log);
  await using cleanup = new AsyncDisposableStack();
  const bus = cleanup.use(await connectBus({ ...natsAccess(config), name: "gateway", signal, log }));
  await requireStreams(bus, { signal, log, also: [STREAMS.audit, ...KEPT.map(bucketStream)] });
  const identities = cleanup.use(await openIdentities(config, bus, log));
  const telemetry = cleanup.use(telemetryFromConfig(config, { service: "gateway", redaction, log }));
  const tools = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const registry = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  const agents = cleanup.use(await openAgentRegistry(bus, log));
  const workers = cleanup.use(keepWorkerRoll(bus, () => performance.now()));
  const tally = createFactTally();
  const traces = cleanup.use(keepTraces({ log }));
  const demand = cleanup.use(keepDemandRoll(bus, { nowMs: () => performance.now() }));
  const modelTally = cleanup.use(keepModelTally(bus));
  const now = () => new Date();
  const onFact: PlanBookOptions["onFact"] = (plan, event) => tally.note(plan, event);
  const follow = { slots: () => slotsOf(workers.present()), onFact, onDeleted: forgetIn(traces), redaction };
  const book = cleanup.use(await openPlanBook(bus, { ...bookSettings(config), ...follow, now, log }));
  const artifacts = createArtifactStore(bus);
  const capabilities = () => ({ tools: tools.entries(), agents: agents.current() });
  const sourcesFor = (tenant: string) => sourcesOfTenant(registry.entries(), tenant);
  const data = await openData(config, { artifacts, registry, log });
  cleanup.use(startUploadSweep({ bus, artifacts, now, log }));

  const keys = cleanup.use(await openKeys(config, { bus, policy, log }));
  const auditLog = cleanup.use(openAuditLog({ bus, publish: createPublish(bus), log }));
  const app = await openApp(config, { keys, identities, redaction, log });
  const stopping = new AbortController();
  cleanup.defer(() => closeApp(app, { stopping, telemetry }));
  await registerRoutes(app, {
    ...policy,
    config,
    bus,
    book,
    workers,
    demand,
    keys,
    signIn: identities?.signIn,
    auditLog,
    tally,
    modelTally,
    artifacts,
    data,
    agentsDigest: () => agents.digest(),
    telemetry,
    redaction,
    log,
    publish: createPublish(bus),
    capabilities,
    offer: offerOf(config, { capabilities, sourcesFor, policy }),
    traces,
    sampler: samplerOf(config),
    random: pooledRandomBytes,
    now,
    stopping: stopping.signal,
  });

  signal.throwIfAborted();
  const url = await listen(app, { host: config.HOST, port: config.PORT });
  await Promise.race([book.caughtUp, delay(CATCH_UP_MS, undefined, { ref: false })]);
  const owned = cleanup.move();
  return {
    url,
    finished: Promise.race([book.finished, bus.closed]),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Removes the spans of deleted plans. */
function forgetIn(traces: Traces): OnDeleted {
  return ({ planId, data }) => {
    const { trace } = data;
    if (trace === undefined) return;
    const tenant = "by" in data ? data.by : data.tenant;
    // If the spans' thread is lost, the spans are lost with it.
    traces.forget({ planId, tenant, trace }).catch(() => undefined);
  };
}

/** Undefined without an identity provider; then its modules are not loaded. */
async function openIdentities(config: GatewayConfig, bus: Bus, log: Logger): Promise<Oidc | undefined> {
  const settings = oidcSettings(config);
  if (settings === undefined) return undefined;
  const { openOidc } = await import("./oidc/open-sign-in.ts");
  return openOidc(bus, settings, { ...PROVIDER, random: pooledRandomBytes, log });
}

/** The tools, agents, sources, policy and models available to a tenant. */
function offerOf(
  config: GatewayConfig,
  {
    capabilities,
    sourcesFor,
    policy,
  }: Pick<RouteDeps, "capabilities"> & {
    readonly sourcesFor: (tenant: string) => Offer["sources"];
    readonly policy: ReadPolicy;
  },
): RouteDeps["offer"] {
  return (tenant) => ({
    ...capabilities(),
    sources: sourcesFor(tenant),
    policy: policy.policyFor(tenant),
    models: modelsOf(config),
  });
}

/** Ensures that the folder's sources exist from the start, and that sources of earlier versions have an owner. */
async function openData(
  config: GatewayConfig,
  deps: Pick<SourceStoreDeps, "artifacts" | "registry" | "log">,
): Promise<SourceStore> {
  const limits = { sources: config.UPLOADS_PER_TENANT_MAX, bytes: config.UPLOAD_BYTES_PER_TENANT_MAX };
  const store = createSourceStore({ ...deps, limits, random: pooledRandomBytes });
  await registerFolder(config.PLANWRIGHT_UPLOADS, { ...deps, store });
  await assignOldUploads(config.PLANWRIGHT_API_KEYS[0]?.tenant ?? TENANT_DEFAULT, deps);
  return store;
}

/** The keys that admins have created. Logs approvers in the policy file that have no effect. */
async function openKeys(
  config: GatewayConfig,
  { bus, policy, log }: { readonly bus: Bus; readonly policy: ReadPolicy; readonly log: Logger },
): Promise<ManagedKeys> {
  const monotonicMs = () => performance.now();
  const keys = await openManagedKeys(bus, {
    log,
    now: () => new Date(),
    monotonicMs,
    random: pooledRandomBytes,
  });
  // Which users the identity provider has is unknown here.
  if (config.OIDC_ISSUER === undefined)
    warnOfApprovers(policy, { configured: config.PLANWRIGHT_API_KEYS, managed: keys.owners(), log });
  return keys;
}

/** Reads the policy file. */
async function openPolicy(config: GatewayConfig, log: Logger): Promise<ReadPolicy> {
  const { PLANWRIGHT_POLICY: file, PLANWRIGHT_API_KEYS: keys } = config;
  const policy = await readPolicy(file);
  const { quotasFor } = policy;
  const tenants = keys.length === 0 ? [TENANT_DEFAULT] : keys.map(({ tenant }) => tenant);
  const { configured, prices } = modelsOf(config);
  const paid = configured.filter((model) => !isDemoModel(model));
  const unpriced = [...new Set(paid)].filter((model) => !Object.hasOwn(prices, model));
  if (unpriced.length > 0 && tenants.map(quotasFor).some(limitsUsd))
    log.warn(
      { models: unpriced },
      "a quota limits dollars, but MODEL_PRICES has no price of these models: they count as free",
    );
  return policy;
}

function limitsUsd({ tenant, key }: TenantQuotas): boolean {
  return [tenant, key].some(({ usdPerDay, usdPerMonth }) => (usdPerDay ?? usdPerMonth) !== undefined);
}

function bookSettings(config: GatewayConfig) {
  return {
    folder: config.PLANWRIGHT_DATA,
    forgetAfterMs: config.RETENTION_ARCHIVES_AFTER,
    watchersPerPlanMax: config.WATCHERS_PER_PLAN_MAX,
  };
}

function samplerOf(config: GatewayConfig): PlanSampler {
  const { TRACE_PLANS_PER_SECOND: plansPerSecond, TRACE_RATIO: ratio } = config;
  return createPlanSampler({ plansPerSecond, ratio, now: () => performance.now() });
}

function modelsOf(config: GatewayConfig): ModelOffer {
  const { PLANNER_MODEL, EXECUTOR_MODEL, REFLECTOR_MODEL, MODEL_PRICES } = config;
  return {
    configured: [PLANNER_MODEL, EXECUTOR_MODEL, REFLECTOR_MODEL],
    planner: PLANNER_MODEL,
    prices: MODEL_PRICES,
  };
}

function openApp(
  config: GatewayConfig,
  {
    keys,
    identities,
    redaction,
    log,
  }: Pick<AppOptions, "redaction" | "log"> & {
    readonly keys: ManagedKeys;
    readonly identities: Oidc | undefined;
  },
): Promise<App> {
  const { HOST, PLANWRIGHT_API_KEYS, PLANWRIGHT_TRACE_RECEIVER_KEY, PLANWRIGHT_PUBLIC_URL } = config;
  const sessions = identities?.signIn?.sessions;
  return createApp({
    log,
    authenticate: createAuthenticate(PLANWRIGHT_API_KEYS, {
      traceKey: PLANWRIGHT_TRACE_RECEIVER_KEY,
      managed: (sent) => keys.find(sent),
      useToken: identities?.useToken,
      findSession: sessions === undefined ? undefined : (cookie) => sessions.find(cookie),
    }),
    localOnly: !needsCredentials(config) && isLoopback(HOST),
    publicOrigin: PLANWRIGHT_PUBLIC_URL === undefined ? undefined : new URL(PLANWRIGHT_PUBLIC_URL).origin,
    redaction,
    requestsPerMinute: config.HTTP_REQUESTS_PER_MINUTE,
    strictResponses: config.STRICT_RESPONSES,
  });
}

async function closeApp(
  app: App,
  { stopping, telemetry }: { stopping: AbortController; telemetry: Telemetry },
): Promise<void> {
  stopping.abort(new DOMException("the gateway is stopping", "AbortError"));
  // The traces may be sent to this very gateway.
  await telemetry.flush();
  const late = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
  await app.close();
  clearTimeout(late);
}
