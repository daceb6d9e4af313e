import path from "node:path";
import { natsAccess } from "@planwright/shared/access";
import { PermanentError } from "@planwright/shared/errors";
import { openWorker } from "@planwright/shared/jobs";
import {
  defineService,
  modelSettings,
  type RunningService,
  type ServiceDeps,
  VERSION,
} from "@planwright/shared/service";
import { findAgentFile } from "./agents/agent-file.ts";
import { ExecutorConfig } from "./config.ts";
import { mailSettingsOf } from "./mail/mail-config.ts";
import { createDocsIndex } from "./docs/docs-search.ts";
import { findMcpFile } from "./mcp/mcp-file.ts";
import { type McpTools, type McpToolsOptions, openMcpTools } from "./mcp/open-mcp-tools.ts";
import { createAllowList } from "./net/allow-list.ts";
import { createEgress, type Egress } from "./net/egress.ts";
import { withEgress } from "./net/with-egress.ts";
import { readPools } from "./pool-settings.ts";
import { createReuse, withReuse } from "./steps/create-reuse.ts";
import { createSecretRedaction, type SecretRedaction } from "./secrets/redaction.ts";
import { readSecrets } from "./secrets/secrets-file.ts";
import { createSecrets, type Secrets } from "./secrets/secrets.ts";
import { startExecutor } from "./start-executor.ts";
import { type ToolFiles, type ToolFolder, watchToolFiles } from "./tool-files/watch-tool-files.ts";
import { joinTools } from "./tool-files/changing-tools.ts";
import { createToolbox } from "./tools/create-toolbox.ts";
import type { Tool } from "./tools/define-tool.ts";
import { CONFIGURED_TOOLS, createTools, type ToolsConfig } from "./tools/index.ts";
import { searchProviderOf } from "./web-search/web-search-config.ts";
import { withFaultPoints } from "./tools/with-fault-points.ts";
import { openWall } from "./wall/open-wall.ts";

/** Time that an executor needs to stop, in addition to its steps' time. */
const LEFT_OVER_MS = 5_000;

/** The executor as its supervisor sees it. */
export const executorService = executorWith([]);

/** An executor that offers additional tools. */
export function executorWith(ownTools: readonly Tool[]) {
  const secretsHidden = createSecretRedaction();
  return defineService({
    name: "executor",
    Config: ExecutorConfig,
    graceMs: ({ EXECUTOR_DRAIN_MS }) => EXECUTOR_DRAIN_MS + LEFT_OVER_MS,
    logLine: secretsHidden.text,
    start: (deps: ServiceDeps<ExecutorConfig>) => start(deps, { ownTools, secretsHidden }),
  });
}

type Extras = {
  readonly ownTools: readonly Tool[];
  /** Also applied to the log. */
  readonly secretsHidden: SecretRedaction;
};

async function start(
  deps: ServiceDeps<ExecutorConfig>,
  { ownTools, secretsHidden }: Extras,
): Promise<RunningService> {
  const { config, env, log } = deps;
  await using cleanup = new AsyncDisposableStack();
  const { wall, about } = await openWall(config, { log });
  const settings = modelSettings(config, "EXECUTOR");
  const worker = await openWorker(cleanup, deps, { role: "executor", settings });
  const { bus } = worker;
  const egress = egressOf(config);
  const docs = createDocsIndex({ folder: config.PLANWRIGHT_DOCS, now: () => performance.now() });
  await docs.fillIfSmall(log);
  const { tools } = cleanup.use(createTools(toolsConfigOf(config, { docs, egress, wall })));
  const secrets = await openSecrets(config, { env, tools, secretsHidden, log });
  const agents = await findAgentFile({
    named: config.PLANWRIGHT_AGENTS,
    folders: [config.PLANWRIGHT_DATA, "."],
  });
  const replaced = new Set(config.EXECUTOR_TOOLS_REPLACED);
  const known = [...tools.filter(({ spec }) => !replaced.has(spec.name)), ...ownTools];
  const taken = new Set(known.map(({ spec }) => spec.name));
  const toolFiles = await openToolFiles(config, { taken, log });
  if (toolFiles !== undefined) cleanup.use(toolFiles);
  const isTaken = (name: string): boolean =>
    taken.has(name) || toolFiles?.tools().some(({ spec }) => spec.name === name) === true;
  const mcp = await openMcp(config, { bus, env, isTaken, log });
  if (mcp !== undefined) cleanup.use(mcp);
  const changing = joinTools([toolFiles, mcp].filter((source) => source !== undefined));
  const reuse = createReuse(() => performance.now());
  const ready = (some: readonly Tool[]) => withFaultPoints(withReuse(withEgress(some, egress), reuse));
  const executor = {
    ...worker,
    changingTools: changing,
    ...(mcp === undefined ? {} : { mayHaveTool: mcp.mayHave }),
    ...(agents === undefined ? {} : { agents }),
    nats: natsAccess(config),
    toolbox: createToolbox(ready(known), () => ready(changing.tools())),
    ...(secrets === undefined ? {} : { secrets }),
    version: VERSION,
    wall,
    wallAbout: about,
    toolsOff: CONFIGURED_TOOLS.filter((name) => !known.some(({ spec }) => spec.name === name)),
    pools: readPools(config.EXECUTOR_POOLS, {
      concurrency: config.EXECUTOR_CONCURRENCY,
      ...(agents === undefined ? {} : { types: agents.types }),
    }),
    drainMs: config.EXECUTOR_DRAIN_MS,
    sourcesPlace: { named: config.PLANWRIGHT_SOURCES, folders: [config.PLANWRIGHT_DATA, "."] },
    cacheFolder: path.join(config.PLANWRIGHT_DATA, "cache", "sources"),
  };
  cleanup.use(await startExecutor(executor));
  const owned = cleanup.move();
  return { finished: bus.closed, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

/** @throws {PermanentError} `invalid_secrets` when the file or a value cannot be used. */
async function openSecrets(
  { PLANWRIGHT_SECRETS: named, PLANWRIGHT_DATA: data, PLANWRIGHT_TENANTS: tenants }: ExecutorConfig,
  {
    env,
    tools,
    secretsHidden,
    log,
  }: Pick<ServiceDeps<ExecutorConfig>, "env" | "log"> &
    Pick<Extras, "secretsHidden"> & { readonly tools: readonly Tool[] },
): Promise<Secrets | undefined> {
  const builtIn = new Set(tools.map(({ spec }) => spec.name));
  const entries = await readSecrets({ named, folders: [data, "."], env, builtIn, tenants });
  if (entries.length === 0) return undefined;
  log.info({ secrets: entries.map(({ name }) => name) }, "secrets loaded");
  return createSecrets(entries, secretsHidden);
}

function egressOf({ EGRESS_HOSTS, EGRESS_URL_CHARS_MAX, HTTP_FETCH_ALLOW }: ExecutorConfig): Egress {
  const allowed = createAllowList(HTTP_FETCH_ALLOW);
  return createEgress({ hosts: EGRESS_HOSTS, urlCharsMax: EGRESS_URL_CHARS_MAX, allowed });
}

function toolsConfigOf(
  config: ExecutorConfig,
  { docs, egress, wall }: Pick<ToolsConfig, "docs" | "egress" | "wall">,
): ToolsConfig {
  return {
    docs,
    httpFetchAllow: config.HTTP_FETCH_ALLOW,
    egress,
    react: { turnsMax: config.REACT_TURNS_MAX, callsMax: config.REACT_CALLS_MAX },
    webSearch: searchProviderOf(config),
    mail: mailSettingsOf(config),
    wall,
  };
}

/** @throws {PermanentError} `no_mcp_file` when the configured file does not exist. */
async function openMcp(
  { PLANWRIGHT_MCP: named, PLANWRIGHT_DATA: data }: ExecutorConfig,
  settings: Pick<McpToolsOptions, "bus" | "env" | "isTaken" | "log">,
): Promise<McpTools | undefined> {
  const file = await findMcpFile({ named, folders: [data, "."] });
  return file === undefined ? undefined : openMcpTools({ ...settings, file });
}

/** @throws {PermanentError} `no_tools_folder` when the configured folder does not exist. */
async function openToolFiles(
  { PLANWRIGHT_TOOLS: named }: ExecutorConfig,
  settings: Omit<ToolFolder, "folder">,
): Promise<ToolFiles | undefined> {
  const files = await watchToolFiles({ folder: named ?? "tools", ...settings });
  if (files !== undefined || named === undefined) return files;
  throw new PermanentError(`PLANWRIGHT_TOOLS: folder ${named} not found`, {
    code: "no_tools_folder",
  });
}
