/**
 * Runs one service as a separate process.
 *
 * Invariants:
 *   SERVICE-1. An invalid environment ends the process with code 1 and one readable message, before
 *       anything is connected.
 *   SERVICE-2. SIGINT, SIGTERM or the loss of the parent (IPC disconnect) asks the service to stop; repeats
 *       of different kinds change nothing, a second one of the same signal kills.
 *   SERVICE-3. The process ends when its event loop is empty, so that logs and answers are flushed; it is
 *       forced to end only when that takes longer than the grace period.
 */
import { once } from "node:events";
import { flushCompileCache } from "node:module";
import type { Logger } from "pino";
import { describeError, PermanentError } from "../errors.ts";
import { armFaults } from "../faults/faults.ts";
import { openRedaction } from "../redaction/redaction.ts";
import { collectAtRest } from "./collect-at-rest.ts";
import { loggerOf, type RunningService, type ServiceDefinition } from "./define-service.ts";
import { ConfigError, type Environment, readConfig } from "./read-config.ts";

const GRACE_MS = 10_000;

/** A service's message to the process that forked it. */
export type ReadyMessage = {
  readonly type: "ready";
  readonly service: string;
  readonly url: string | undefined;
};

/**
 * Runs a service until it is asked to stop, then lets it finish the work in progress.
 *
 * The exit code is 0 after a requested stop, 1 after a fault.
 *
 * @param options.graceMs - Milliseconds between the first request to stop and the forced end; default as the service defines, or
 *   10,000.
 */
export async function runService(
  definition: ServiceDefinition,
  options: { readonly env?: Environment; readonly graceMs?: number } = {},
): Promise<void> {
  const { env = process.env } = options;
  const config = configOrReport(definition, env);
  if (config === undefined) return;
  const redaction = await openRedaction(config).catch((error: unknown) => {
    logFault(loggerOf(definition, config), error);
    process.exitCode = 1;
  });
  if (redaction === undefined) return;
  const log = loggerOf(definition, config, { redaction });
  // Faults are only for a separate process: in a shared one they would affect its other services.
  armFaults(config);
  const stopping = new AbortController();
  stopping.signal.addEventListener("abort", () =>
    armWatchdog(stopping.signal, log, options.graceMs ?? definition.graceMs?.(config) ?? GRACE_MS),
  );
  using _listeners = listenForStop(stopping);

  try {
    await using service = await definition.start({ config, env, log, redaction, signal: stopping.signal });
    log.info({ url: service.url }, "started");
    process.send?.({ type: "ready", service: definition.name, url: service.url } satisfies ReadyMessage);
    // A killed process leaves no cache: without this, the next start would compile everything again.
    flushCompileCache();
    using _collecting = collectAtRest();
    await untilAskedToStop(service, stopping.signal);
  } catch (error) {
    if (!isAbortOf(stopping.signal, error)) {
      logFault(log, error);
      process.exitCode = 1;
      stopping.abort(stopReason("failure"));
    }
  }
  log.info("stopped");
}

function configOrReport(definition: ServiceDefinition, env: Environment) {
  try {
    return readConfig(definition.Config, env);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const lines = error.message.split("\n").map((line) => `  ${line}\n`);
    const count = error.faults.length === 1 ? "1 fault" : `${error.faults.length} faults`;
    process.stderr.write(
      `${definition.name}: cannot start, the environment has ${count}:\n${lines.join("")}`,
    );
    process.exitCode = 1;
    return undefined;
  }
}

/** Turns signals and the loss of the parent into one abort; disposing releases the parent's channel. */
function listenForStop(stopping: AbortController): Disposable {
  // `once`: a second signal of a kind finds no handler and kills the process, as an operator expects.
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => stopping.abort(stopReason(signal)));
  const orphaned = () => stopping.abort(stopReason("the parent process is gone"));
  process.once("disconnect", orphaned);
  // A channel with a listener would keep an otherwise finished process alive.
  return { [Symbol.dispose]: () => void process.off("disconnect", orphaned) };
}

/** An abort reason that callers recognize as an abort. */
function stopReason(why: string): DOMException {
  return new DOMException(why, "AbortError");
}

function armWatchdog(stopping: AbortSignal, log: Logger, graceMs: number): void {
  log.info({ reason: describeError(stopping.reason) }, "stopping");
  const timer = setTimeout(() => {
    log.fatal({ graceMs, open: openResources() }, "did not stop in time");
    process.exit(1);
  }, graceMs);
  timer.unref();
}

/** The resources that keep the process alive, counted by Node's names for timers, sockets, child processes and so on. */
function openResources(): Record<string, number> {
  const kinds = Map.groupBy(process.getActiveResourcesInfo(), (kind) => kind);
  return Object.fromEntries(kinds.entries().map(([kind, all]) => [kind, all.length]));
}

async function untilAskedToStop(service: RunningService, stopping: AbortSignal): Promise<void> {
  const ended = service.finished.then(() => {
    if (!stopping.aborted) throw new Error("the service ended unexpectedly");
  });
  const asked = stopping.aborted ? Promise.resolve() : once(stopping, "abort");
  await Promise.race([asked, ended]);
}

/** Whether an error only means that the start was abandoned because of a stop request. */
function isAbortOf(stopping: AbortSignal, error: unknown): boolean {
  if (!stopping.aborted) return false;
  return error instanceof Error && error.name === "AbortError";
}

function logFault(log: Logger, error: unknown): void {
  // A permanent error is a sentence for the operator; anything else is our bug and needs its stack.
  if (error instanceof PermanentError)
    log.fatal({ code: error.code, reason: describeError(error) }, "failed");
  else log.fatal({ err: error }, "failed");
}
