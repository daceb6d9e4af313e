import { parseArgs } from "node:util";
import { UsageError } from "../command/parse-arguments.ts";

const MINUTES_DEFAULT = 10;
const MINUTES_MAX = 24 * 60;

export const SOAK_HELP = `usage: npm run soak [-- --minutes N]

Keeps plans of ten kinds running while every service and nats-server is killed at random, then waits for every plan to
end and reads every log. Ends with 1 if a plan was lost, stuck or out of order, if an effect was applied twice, or if
the memory of a service grew.

  --minutes N  how long, up to ${MINUTES_MAX} (${MINUTES_DEFAULT}); a shorter run is written to .planwright/benchmarks

The seed is printed; FAULT_SEED repeats it.`;

/**
 * The requested number of minutes.
 *
 * @throws {UsageError} For an unknown option, or minutes that are not a number above 0 and up to 1,440.
 */
export function soakMinutes(args: readonly string[]): number | "help" {
  const { minutes, help } = parse(args);
  if (help) return "help";
  const wanted = Number(minutes);
  if (wanted > 0 && wanted <= MINUTES_MAX) return wanted;
  throw new UsageError(`--minutes: wanted a number above 0 and at most ${MINUTES_MAX}, got "${minutes}"`);
}

function parse(args: readonly string[]) {
  try {
    const minutes = { type: "string", default: String(MINUTES_DEFAULT) } as const;
    const help = { type: "boolean", short: "h", default: false } as const;
    return parseArgs({ args: [...args], options: { minutes, help } }).values;
  } catch (error) {
    throw new UsageError(`${error instanceof Error ? error.message : String(error)}\n\n${SOAK_HELP}`, {
      cause: error,
    });
  }
}
