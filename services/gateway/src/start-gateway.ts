import {
  BUCKETS,
  type Bus,
  connectBus,
  createPublish,
  openRegistry,
  provision,
} from "@planwright/shared/bus";
import type { RunningService, ServiceDeps } from "@planwright/shared/service";
import { createPlanSampler, telemetryFromConfig } from "@planwright/shared/telemetry";
import { DataSource } from "@planwright/shared/tools";
import { ToolSpec } from "@planwright/plan";
import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { openPlanBook, type PlanBook } from "./book/plan-book.ts";
import { type GatewayConfig, isLoopback, refuseOpenDoor } from "./config.ts";
import { createAuthenticate } from "./http/authenticate.ts";
import { createApp } from "./http/create-app.ts";
import { describeApi } from "./http/describe-api.ts";
import { listen } from "./http/listen.ts";
import { createCancelPlan } from "./plans/cancel-plan.ts";
import { apiReferenceRoutes } from "./routes/api-reference.ts";
import { cancelRoute } from "./routes/cancel.ts";
import { getPlanRoute } from "./routes/get-plan.ts";
import { healthRoutes } from "./routes/health.ts";
import { listPlansRoute } from "./routes/list-plans.ts";
import { socketRoute } from "./routes/socket.ts";
import { planEventsRoute } from "./routes/plan-events.ts";
import { submitRoute } from "./routes/submit.ts";
import { createSubmitPlan } from "./submit/submit-plan.ts";
import { VERSION } from "./version.ts";

/** How long a start waits for the list of plans; a log that takes longer is taken in while requests are served. */
const CATCH_UP_MS = 2_000;
const NATS_PING_MS = 1_000;
/** Requests that are still being answered may take this long when the gateway stops. */
const CLOSE_GRACE_MS = 5_000;

/** Opens what the gateway stands on, then its doors. Disposing it closes them in the opposite order. */
export async function startGateway({
  config,
  log,
  signal,
}: ServiceDeps<GatewayConfig>): Promise<RunningService> {
  refuseOpenDoor(config);
  await using cleanup = new AsyncDisposableStack();
  const bus = cleanup.use(await connectBus({ url: config.NATS_URL, name: "gateway", signal }));
  await provision(bus);
  const telemetry = cleanup.use(telemetryFromConfig(config, { service: "gateway", log }));
  const tools = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const sources = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  const book = cleanup.use(await openPlanBook(bus, { folder: config.PLANWRIGHT_DATA, log }));

  const publish = createPublish(bus);
  const now = () => new Date();
  const random = randomBytes;
  const offer = () => ({ tools: tools.entries(), sources: sources.entries() });
  const sampler = createPlanSampler({
    plansPerSecond: config.TRACE_PLANS_PER_SECOND,
    ratio: config.TRACE_RATIO,
    now: () => performance.now(),
  });
  const submit = createSubmitPlan({ bus, publish, book, offer, telemetry, random, now, log });
  const cancel = createCancelPlan({ book, publish, now });

  const keys = config.PLANWRIGHT_API_KEYS;
  const app = await createApp({
    log,
    authenticate: createAuthenticate(keys),
    localOnly: keys.length === 0 && isLoopback(config.HOST),
    requestsPerMinute: config.HTTP_REQUESTS_PER_MINUTE,
  });
  const stopping = new AbortController();
  cleanup.defer(async () => {
    stopping.abort(new DOMException("the gateway is stopping", "AbortError"));
    // The traces' receiver may be this very gateway.
    await telemetry.flush();
    const late = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
    await app.close();
    clearTimeout(late);
  });
  await describeApi(app, { version: VERSION, withKeys: keys.length > 0 });
  apiReferenceRoutes(app);
  const tracing = { telemetry, sampler, random };
  submitRoute(app, { submit, tracing });
  listPlansRoute(app, { book });
  getPlanRoute(app, { book, now });
  planEventsRoute(app, { book, stopping: stopping.signal });
  cancelRoute(app, { cancel });
  socketRoute(app, { book, submit, cancel, tracing, now, log, stopping: stopping.signal });
  healthRoutes(app, { missing: () => whatIsMissing(bus, book, tools.entries()) });

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

async function whatIsMissing(
  bus: Bus,
  book: PlanBook,
  tools: ReadonlyMap<string, ToolSpec>,
): Promise<string[]> {
  const answer = bus.connection.rtt().then(
    () => true,
    () => false,
  );
  const connected = await Promise.race([answer, delay(NATS_PING_MS, false, { ref: false })]);
  const missing: string[] = [];
  if (!connected) missing.push("NATS does not answer");
  if (book.lag !== undefined) missing.push(book.lag);
  if (tools.size === 0) missing.push("no executor has announced its tools");
  return missing;
}
