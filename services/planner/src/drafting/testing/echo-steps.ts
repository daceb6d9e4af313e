/** Steps of one tool, for tests of turning a model's output into a plan. */
import { JsonValue, type StepEntry, Step, ToolSpec } from "@planwright/plan";
import { z } from "zod";
import type { PlannedStep, StepsBuilder } from "../draft-builder.ts";

export const ECHO = ToolSpec.parse({
  name: "flow.echo",
  description: "echo",
  input: z.toJSONSchema(z.strictObject({ value: z.unknown() })),
  output: {},
  risk: "low",
  effect: "read",
  timeoutMs: 5_000,
  pool: "quick",
});

export const ECHO_ALONE: ReadonlyMap<string, ToolSpec> = new Map([[ECHO.name, ECHO]]);

/** A step of an earlier draft that has succeeded, or is in `state`. */
export function earlier(
  step: object,
  state: object = { status: "succeeded", output: { value: 1 } },
): StepEntry {
  const entry = {
    step: Step.parse(step),
    grant: ECHO,
    draft: 1,
    position: 0,
    dependencies: [],
    dependents: [],
  };
  // Only the content of an earlier step and its state's name matter when a draft is built.
  return { ...entry, unmet: 0, failedAttempts: [], state } as unknown as StepEntry;
}

/** The result of a builder for a whole draft, passed to it step by step. */
export function buildWhole<Builder extends StepsBuilder>(
  create: (onPlanned: (planned: PlannedStep) => void) => Builder,
  drafted: readonly unknown[],
) {
  const planned: PlannedStep[] = [];
  const builder = create((step) => planned.push(step));
  for (const [index, step] of drafted.entries()) builder.take(JsonValue.parse(step), index);
  builder.finish();
  return {
    builder,
    planned,
    ids: planned.map(({ step }) => step.id),
    codes: builder.issues.map(({ code }) => code),
  };
}
