import { OWNER_TOOLS, PoolWork, ToolSpec } from "@planwright/plan";
import type { NatsAccess } from "@planwright/shared/access";
import { createArtifactStore } from "@planwright/shared/artifacts";
import {
  BUCKETS,
  type Bus,
  createPublish,
  openRegistry,
  queueOfPool,
  readRestored,
} from "@planwright/shared/bus";
import { watchQueue } from "@planwright/shared/jobs";
import type { ModelClient } from "@planwright/shared/model";
import { consumeWork, createTurns, startAckRenewal } from "@planwright/shared/queue";
import type { Logger } from "@planwright/shared/service";
import type { Telemetry } from "@planwright/shared/telemetry";
import { type AgentSet, DataSource, openAgentRegistry, type SourcesPlace } from "@planwright/shared/tools";
import { refuseMissingTools } from "./agents/agent-file.ts";
import { announceAgents } from "./agents/announce-agents.ts";
import {
  announceChange,
  announceTools,
  type BusyPool,
  startBeats,
  withdrawTools,
} from "./agents/announce.ts";
import { watchLightTools } from "./agents/light-tools.ts";
import type { PoolSettings } from "./pool-settings.ts";
import { withSecrets } from "./secrets/redact-tools.ts";
import { NO_SECRETS, type Secrets } from "./secrets/secrets.ts";
import { describeSources } from "./sources/describe-sources.ts";
import { watchLocalSources } from "./sources/local-sources.ts";
import { createSourceFiles } from "./sources/source-files.ts";
import { sweepCopies } from "./sources/sweep-copies.ts";
import { createSqlRunner } from "./sql/sql-runner.ts";
import { stepHandler } from "./handlers/run-step.ts";
import type { StepDeps } from "./steps/step-deps.ts";
import type { ChangingTools } from "./tool-files/changing-tools.ts";
import type { Toolbox } from "./tools/create-toolbox.ts";
import type { Wall } from "./wall/wall.ts";

export type ExecutorOptions = {
  readonly bus: Bus;
  /** For the connection that extends the ack deadline of messages in hand. */
  readonly nats: NatsAccess;
  readonly toolbox: Toolbox;
  /** Secrets that steps refer to as `{{secret.NAME}}`; none by default. */
  readonly secrets?: Secrets;
  readonly model: ModelClient;
  readonly telemetry: Telemetry;
  readonly workerId: string;
  readonly version: string;
  /** The wall around its child processes; none by default. */
  readonly wall?: Wall | undefined;
  /** The wall's name, or why there is none. */
  readonly wallAbout?: string;
  readonly pools: readonly PoolSettings[];
  /** The content of its agents file; absent without one. */
  readonly agents?: AgentSet;
  /** Tools that can change while it runs; they are also in the toolbox. */
  readonly changingTools?: ChangingTools;
  /** Whether a tool of this name may become one of them later. */
  readonly mayHaveTool?: (name: string) => boolean;
  /** Tools that are off because they are not configured. */
  readonly toolsOff?: readonly string[];
  /** How long steps can continue when the executor stops, in milliseconds; default 5,000. */
  readonly drainMs?: number;
  /** How long a unit of light steps can start steps, and one of its steps can take, in milliseconds; default 50. */
  readonly unitMs?: number;
  /** Where its data sources are configured; no local sources by default. */
  readonly sourcesPlace?: SourcesPlace;
  /** Folder for files that can be fetched again. */
  readonly cacheFolder: string;
  readonly log: Logger;
  readonly now?: () => Date;
};

/** Announces the tools and takes steps from the pools' queues until disposed. */
export async function startExecutor(options: ExecutorOptions): Promise<AsyncDisposable> {
  const { bus, nats, log, secrets = NO_SECRETS, now = () => new Date() } = options;
  const toolbox = withSecrets(options.toolbox, secrets);
  await using cleanup = new AsyncDisposableStack();
  const publish = createPublish(bus);
  const artifacts = createArtifactStore(bus);
  const tools = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.tools, Schema: ToolSpec, log }));
  const registry = cleanup.use(await openRegistry(bus, { bucket: BUCKETS.sources, Schema: DataSource, log }));
  const sql = cleanup.use(createSqlRunner({ wall: options.wall }));
  const { sourcesPlace: place = { named: undefined, folders: [] } } = options;
  const locals = cleanup.use(await watchLocalSources(place, { registry, sql, log }));
  const folder = options.cacheFolder;
  const sources = createSourceFiles({ registry, artifacts, folder, findLocal: locals.find });
  cleanup.use(describeSources({ registry, files: sources, sql, log }));
  cleanup.use(sweepCopies({ registry, folder, log }));
  const agents = cleanup.use(await openAgentRegistry(bus, log));
  const served = options.pools.map(({ pool }) => pool);
  const lightTools = cleanup.use(watchLightTools(tools, log));
  const specsNow = () => lightTools.announced([...toolbox.specs(), ...OWNER_TOOLS]);
  options.changingTools?.onChange((gone) => announceChange(tools, { specs: specsNow(), gone, log }));
  const specs = specsNow();
  if (options.agents !== undefined) {
    refuseMissingTools(options.agents, {
      pools: new Set(served),
      tools: new Set(specs.map(({ name }) => name)),
      mayHave: options.mayHaveTool,
    });
  }
  // Before the tools, so that the agent types are known when the tools are.
  cleanup.use(await announceAgents(agents, { own: options.agents, pools: served, log }));
  await announceTools(tools, specs);
  if (served.includes("default")) await withdrawTools(tools, options.toolsOff ?? []);

  const stops = cleanup.use(await watchQueue(bus, log));
  const agentTypes = () => agents.current().types;
  const restored = await readRestored(bus);
  if (restored !== undefined) log.info(restored, "the log was restored from a backup");
  const steps: StepDeps = {
    ...options,
    toolbox,
    secrets,
    restored,
    agentTypes,
    publish,
    artifacts,
    sources,
    stops,
    lightTools,
    now,
  };
  const count = options.pools.reduce((sum, { concurrency }) => sum + concurrency, 0);
  const renewal = cleanup.use(await startAckRenewal({ ...nats, count, log }));
  const turns = createTurns();
  const pools: BusyPool[] = [];
  for (const { pool, concurrency } of options.pools) {
    const queue = { ...queueOfPool(pool), Schema: PoolWork, concurrency };
    const { drainMs } = options;
    const drained = drainMs === undefined ? queue : { ...queue, drainMs };
    const consumer = await consumeWork({ bus, publish, renewal, turns, log }, drained, stepHandler(steps));
    pools.push({ pool, concurrency, consumer });
  }
  // Disposed in reverse: the pools finish their work while everything they need still exists.
  cleanup.defer(
    async () => void (await Promise.all(pools.map(({ consumer }) => consumer[Symbol.asyncDispose]()))),
  );
  cleanup.use(startBeats(bus, { ...beatOf(options), agentTypes, pools, now }));
  return cleanup.move();
}

function beatOf({
  workerId,
  version,
  wall,
  wallAbout = "",
  toolbox,
  changingTools,
  agents,
}: ExecutorOptions) {
  const tools = () => toolbox.specs().map(({ name }) => name);
  const about = {
    workerId,
    version,
    wall: { stands: wall !== undefined, about: wallAbout },
    tools,
    brokenTools: () => changingTools?.broken() ?? [],
  };
  return agents === undefined ? about : { ...about, agentsDigest: agents.digest };
}
