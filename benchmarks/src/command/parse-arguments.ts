import { parseArgs } from "node:util";

export type BenchCommand =
  | { readonly kind: "help" }
  | {
      readonly kind: "run";
      readonly workloads: readonly string[];
      readonly runs: number;
      readonly plans: number;
      readonly questions: number;
      readonly out: string;
      readonly profileDir: string | undefined;
    };

const RUNS_DEFAULT = 5;
const QUESTIONS_DEFAULT = 30;
const RUNS_MAX = 1_000;
const PLANS_DEFAULT = 100_000;
const PLANS_MAX = 10_000_000;
/** The results that the README shows. */
export const RECORDED = "benchmarks/results";
/** A trial run must not change recorded results. */
const SCRATCH = ".planwright/benchmarks";

export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Valid names: workloads, and names that stand for several. `all` stands for every workload. */
export type Names = {
  readonly workloads: readonly string[];
  readonly groups: Readonly<Record<string, readonly string[]>>;
};

/**
 * Parses the command line.
 *
 * @throws {UsageError} For an unknown option or name; the message lists the valid ones.
 */
export function parseArguments(args: readonly string[], { workloads, groups }: Names): BenchCommand {
  const { values, positionals } = parse(args);
  if (values.help || positionals.length === 0) return { kind: "help" };
  const unknown = positionals.filter((name) => !workloads.includes(name) && !Object.hasOwn(groups, name));
  if (unknown.length > 0) {
    const known = [...workloads, ...Object.keys(groups)].join(", ");
    throw new UsageError(`unknown workload ${unknown.join(", ")}; there are: ${known}`);
  }
  return {
    kind: "run",
    workloads: [...new Set(positionals.flatMap((name) => groups[name] ?? [name]))],
    runs: wholeNumber("--runs", values.runs, RUNS_MAX),
    plans: wholeNumber("--plans", values.plans, PLANS_MAX),
    questions: values.all ? Number.POSITIVE_INFINITY : QUESTIONS_DEFAULT,
    out: values.out ?? (positionals.includes("all") ? RECORDED : SCRATCH),
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
        plans: { type: "string", default: String(PLANS_DEFAULT) },
        all: { type: "boolean", default: false },
        out: { type: "string" },
        profile: { type: "string" },
        help: { type: "boolean", short: "h", default: false },
      },
    });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function wholeNumber(option: string, text: string, max: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= max) return value;
  throw new UsageError(`${option}: wanted a whole number from 1 to ${max}, got "${text}"`);
}
