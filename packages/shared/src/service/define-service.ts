/** What a supervisor knows of a service: its settings and how it starts. */
import { type DestinationStream, type Logger, pino } from "pino";
import type { z } from "zod";
import { openRedaction, type Redaction } from "../redaction/redaction.ts";
import { type Environment, readConfig } from "./read-config.ts";

/** A service that is ready. Disposing it lets it finish what it holds. */
export type RunningService = AsyncDisposable & {
  /** Settles when the service has ended. Ending before it was asked to is a fault. */
  readonly finished: Promise<void>;
  /** Where it listens, when it does. */
  readonly url?: string;
};

export type ServiceDeps<Config> = {
  readonly config: Config;
  /** What `config` was read from, for what a file of the operator names of it: secrets, the environment of MCP servers. */
  readonly env: Environment;
  readonly log: Logger;
  /** What is hidden in traces and views; the log hides it already. */
  readonly redaction: Redaction;
  /** Aborts when the service is asked to stop, also while it is still starting. */
  readonly signal: AbortSignal;
};

export type ServiceDefinition<Config extends z.ZodObject = z.ZodObject> = {
  readonly name: string;
  /** A zod object whose keys are environment variables. */
  readonly Config: Config;
  /** Milliseconds between the first request to stop and the forced end; default 10,000. */
  graceMs?(config: z.output<Config>): number;
  /** Rewrites each line of the service's own log before it is written; JSON, with its line break. */
  logLine?(line: string): string;
  /** Resolves when the service is ready. */
  start(deps: ServiceDeps<z.output<Config>>): Promise<RunningService>;
};

/** Describes a service; types flow from `Config` into `start`. */
export function defineService<Config extends z.ZodObject>(
  definition: ServiceDefinition<Config>,
): ServiceDefinition<Config> {
  return definition;
}

/**
 * Starts a service inside this process: tests and the one-process mode.
 *
 * @param options.log - Replaces the service's own logger, which writes at `LOG_LEVEL`.
 * @param options.destination - Where its own logger writes; default standard output.
 * @throws {ConfigError} When the environment is at fault.
 * @throws {PermanentError} `invalid_redaction` when the file of redaction rules is.
 */
export async function startService(
  definition: ServiceDefinition,
  options: {
    readonly env: Environment;
    readonly signal: AbortSignal;
    readonly log?: Logger;
    readonly destination?: DestinationStream;
  },
): Promise<RunningService> {
  const config = readConfig(definition.Config, options.env);
  const redaction = await openRedaction(config);
  const { destination, env, signal } = options;
  const log = options.log ?? loggerOf(definition, config, { redaction, destination });
  const service = await definition.start({ config, env, log, redaction, signal });
  if (destination !== undefined) log.info({ url: service.url }, "started");
  return service;
}

/** The logger of a service at the level its settings name. */
export function loggerOf(
  definition: ServiceDefinition,
  config: Readonly<Record<string, unknown>>,
  {
    redaction,
    destination,
  }: { readonly redaction?: Redaction; readonly destination?: DestinationStream | undefined } = {},
): Logger {
  const level = config["LOG_LEVEL"];
  const rewrites = [
    definition.logLine?.bind(definition),
    redaction?.isActive === true ? redaction.logLine : undefined,
  ].filter((rewrite) => rewrite !== undefined);
  const logLine = (line: string): string => rewrites.reduce((text, rewrite) => rewrite(text), line);
  return createLogger(
    {
      name: definition.name,
      ...(typeof level === "string" ? { level } : {}),
      ...(rewrites.length === 0 ? {} : { logLine }),
    },
    destination,
  );
}

export type { Logger } from "pino";

const STANDARD_OUTPUT = 1;

/**
 * Makes a service's logger. Call it with the object first, then a constant phrase:
 * `log.info({ attempt }, "step started")`.
 *
 * Standard output is written to synchronously. Otherwise a fatal line, which pino flushes, would be tried again for ever once nothing
 * reads the output any more: the process could not end.
 */
export function createLogger(
  options: {
    readonly name: string;
    readonly level?: string;
    /** Rewrites each line before it is written. */
    readonly logLine?: (line: string) => string;
  },
  destination?: DestinationStream,
): Logger {
  const { name, level = "info", logLine } = options;
  const settings = { name, level, ...(logLine === undefined ? {} : { hooks: { streamWrite: logLine } }) };
  return pino(settings, destination ?? pino.destination({ dest: STANDARD_OUTPUT, sync: true }));
}
