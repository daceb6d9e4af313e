/** One logger per service, passed down; JSON lines on standard output. */
import { type DestinationStream, type Logger, pino } from "pino";

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
