import { parseArgs } from "node:util";

export type BenchCommand =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly workloads: readonly string[];
      readonly runs: number;
      readonly out: string;
      readonly profileDir: string | undefined;
    };

const RUNS_DEFAULT = 5;
const RUNS_MAX = 1_000;
/** The figures that the README shows. */
export const RECORDED = "benchmarks/results";
/** Trying something out must not change what is recorded. */
const SCRATCH = ".planwright/benchmarks";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/**
 * What the command line asks for. `all` stands for every workload.
 *
 * @param known - The names that there are.
 * @throws {UsageError} At an unknown option or name; the message names those that there are.
 */
export function parseArguments(args: readonly string[], known: readonly string[]): BenchCommand {
  const { values, positionals } = parse(args);
  if (values.help || positionals.length === 0) return { kind: "help" };
  const unknown = positionals.filter((name) => name !== "all" && !known.includes(name));
  if (unknown.length > 0) {
    throw new UsageError(`unknown workload ${unknown.join(", ")}; there are: ${known.join(", ")}, all`);
  }
  const isAll = positionals.includes("all");
  return {
    kind: "run",
    workloads: isAll ? known : [...new Set(positionals)],
    runs: wholeNumber(values.runs),
    out: values.out ?? (isAll ? RECORDED : SCRATCH),
    profileDir: values.profile,
  };
}

function parse(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      allowPositionals: true,
      options: {
        runs: { type: "string", default: String(RUNS_DEFAULT) },
        out: { type: "string" },
        profile: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function wholeNumber(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= RUNS_MAX) return value;
  throw new UsageError(`--runs: wanted a whole number from 1 to ${RUNS_MAX}, got "${text}"`);
}
