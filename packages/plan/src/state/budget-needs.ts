/** What a piece of work is thought to need of a budget: a guess that grows when it turns out too small. */
import { jsonBytes } from "../check/json-bytes.ts";
import type { StepOutput } from "../events/values.ts";
import { type BudgetState, growthOf, isMetered, type ReadyStep } from "./budget-ledger.ts";
import type { StepEntry } from "./plan-state.ts";
import { nameOf } from "./runs.ts";
import type { NextPlan } from "./step-transitions.ts";

/** A draft reads the goal, the tools and their schema, and writes a plan. */
export const DRAFT_TOKENS = 65_536;
/** A judgement reads every result and writes an answer. */
export const JOIN_TOKENS = 65_536;
/** A judgement of a draft reads it with what it is for. */
export const CRITIQUE_TOKENS = 32_768;
/** A look for facts reads one output and writes what it says in a few words. */
export const PROCESS_TOKENS = 32_768;
/** Names of what all drafts and all joins have learned about their size. */
export const GROWS = { draft: "~draft", join: "~join", review: "~review", critique: "~critique" } as const;
/** A judgement of one step: its instructions, and what it says. */
const REVIEW_TOKENS = 4_096;
/** More of an output than this no judge is shown. */
const REVIEWED_BYTES_MAX = 100_000;

/** What judging a step's output is thought to need; 0 when nobody counts. */
export function reviewTokens(budget: BudgetState, { step }: StepEntry, output: StepOutput): number {
  if (!isMetered(budget)) return 0;
  const shown = "artifact" in output ? output.artifact.bytes : jsonBytes(output.value);
  const bytes = Math.min(shown, REVIEWED_BYTES_MAX) + jsonBytes(step.args);
  return (REVIEW_TOKENS + bytes) * growthOf(budget, GROWS.review);
}

/** A step that could run now, were there a budget for it. */
export function readyStep(next: NextPlan, entry: StepEntry): ReadyStep {
  const { step, grant, dependencies } = entry;
  const { budget } = next;
  const usual = grant.modelTokens;
  // What acts once is not sent to another worker by itself, so that nobody could say what the first one used.
  if (budget === undefined || usual === undefined || grant.effect === "once" || !isMetered(budget)) {
    return { ...nameOf(entry), tokens: 0 };
  }
  let bytes = jsonBytes(step.args);
  for (const dependency of dependencies) {
    const state = next.steps.get(dependency)?.state;
    if (state?.status !== "succeeded") continue;
    bytes += "artifact" in state.output ? state.output.artifact.bytes : jsonBytes(state.output.value);
  }
  // No token stands for less than a byte, so that this much is enough to read everything.
  return { ...nameOf(entry), tokens: (usual + bytes) * growthOf(budget, step.id) };
}
