/** The supervisor's view of a service: its settings and how it starts. */
import { type DestinationStream, type Logger, pino } from "pino";
import type { z } from "zod";
import { openRedaction, type Redaction } from "../redaction/redaction.ts";
import { type Environment, readConfig } from "./read-config.ts";

/** A service that is ready. Disposing it lets it finish the work in progress. */
export type RunningService = AsyncDisposable & {
  /** Settles when the service has ended. Ending before it was asked to stop is a fault. */
  readonly finished: Promise<void>;
  /** The URL it listens on, if any. */
  readonly url?: string;
};

export type ServiceDeps<Config> = {
  readonly config: Config;
  /** The source of `config`, for variables named in an operator's file: secrets, the environment of MCP servers. */
  readonly env: Environment;
  readonly log: Logger;
  /** Redaction for traces and views; the log is already redacted. */
  readonly redaction: Redaction;
  /** Aborts when the service is asked to stop, even while it is starting. */
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
 * @throws {ConfigError} When the environment is invalid.
 * @throws {PermanentError} `invalid_redaction` when the file of redaction rules is invalid.
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

/** Creates a service's logger, at the level in its settings. */
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
 * Creates a service's logger. Call it with the object first, then a constant phrase:
 * `log.info({ attempt }, "step started")`.
 *
 * Standard output is written synchronously. Otherwise a fatal line, which pino flushes, would be retried forever once nothing
 * reads the output any more, and the process could not end.
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
