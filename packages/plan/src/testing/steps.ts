/**
 * Steps in the form of submitted plans, for the tests of every package; the testkit exports them as well.
 *
 * The fields of a step besides its tool are one typed object: a bare value in its place does not compile.
 */
import type { z } from "zod";
import type { GoalSubmitted } from "../events/control-events.ts";
import type { Step } from "../language/plan-language.ts";

export type BuiltStep = {
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
};

export type StepFields = Partial<
  Omit<z.input<typeof Step>, "id" | "tool" | "args" | "dependsOn"> & { readonly dependsOn: readonly string[] }
>;

type WithValue = StepFields & { readonly value?: unknown };

/** A step whose output is `value`; default: its id. */
export function echo(id: string, { value = id, ...fields }: WithValue = {}): BuiltStep {
  return { id, tool: "flow.echo", args: { value }, ...fields };
}

/** A step that takes `ms` milliseconds, and whose output is `value`; default: its id. */
export function wait(id: string, ms: number, { value = id, ...fields }: WithValue = {}): BuiltStep {
  return { id, tool: "flow.wait", args: { ms, value }, ...fields };
}

/** A step with an effect: it writes `content` (default: its id) to a file named after it. */
export function write(
  id: string,
  { content = id, ...fields }: StepFields & { readonly content?: string } = {},
): BuiltStep {
  return { id, tool: "files.write", args: { path: `${id}.txt`, content }, ...fields };
}

/** The data of a submitted goal, without its text and tenant, with no options and no approvals. */
export const BARE_GOAL = {
  strategy: "auto",
  grants: {},
  constraints: [],
  approval: { plan: false, risk: "never", expiresAfterMs: 86_400_000 },
  egress: { composedUrls: "allow", hosts: [] },
  unapprovedStepsMax: 10_000,
  maxReplans: 3,
  replanOnFailure: false,
  facts: "off",
  metadata: {},
  bodyHash: "h",
  trace: { traceId: "a".repeat(32), spanId: "b".repeat(16), sampled: false },
} satisfies Omit<GoalSubmitted["data"], "goal" | "tenant">;
