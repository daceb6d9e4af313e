/** How long whoever watches puts up with a gateway that is away, or has too much to do: it may be starting again. */
import { CliError, EXIT, type ExitCode } from "../exit-codes.ts";

export const AWAY_MS_MAX = 60_000;
/** Between two tries. */
export const PAUSE_MS = 500;

const MAY_PASS: ReadonlySet<ExitCode> = new Set([EXIT.unreachable, EXIT.failed]);

/** Whether trying once more may help: what was refused, or wants another key, will be again. */
export function mayPass(error: unknown): boolean {
  return !(error instanceof CliError) || MAY_PASS.has(error.exitCode);
}
