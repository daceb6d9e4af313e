/** Estimates how much budget a piece of work needs; an estimate grows each time it turns out too small. */
import type { BudgetState, ReadyStep } from "./budget-state.ts";
import type { NextPlan, StepEntry } from "../plan-state.ts";
import { jsonBytes } from "../../check/json-bytes.ts";
import type { StepOutput } from "../../events/values.ts";
import { growthOf, isMetered } from "./budget-ledger.ts";
import { type Need, NO_NEED } from "./budget-prices.ts";
import { nameOf } from "../step/runs.ts";

/** A draft reads the goal, the tools and their schema, and writes a plan. */
export const DRAFT_NEED: Need = { input: 49_152, output: 16_384 };
/** A synthesis reads every result and writes an answer. */
export const JOIN_NEED: Need = { input: 49_152, output: 16_384 };
/** A review of a draft reads the draft and its goal. */
export const CRITIQUE_NEED: Need = { input: 24_576, output: 8_192 };
/** Fact extraction reads one output and writes short claims. */
export const PROCESS_NEED: Need = { input: 28_672, output: 4_096 };
/** The names under which the growth of all drafts, syntheses and reviews is kept. */
export const GROWS = { draft: "~draft", join: "~join", review: "~review", critique: "~critique" } as const;
/** A step's review: its instructions and its result. */
const REVIEW_NEED: Need = { input: 2_048, output: 2_048 };
/** The part of a tool's declared tokens that its calls write; they read the rest. */
const WRITTEN_SHARE = 0.5;
/** Reviewers are shown no more than this of an output. */
const REVIEWED_BYTES_MAX = 100_000;

/** Returns a need multiplied by its growth factor. */
export function grown({ input, output }: Need, growth: number): Need {
  return { input: input * growth, output: output * growth };
}

/** The estimated need of reviewing a step's output; none when the plan has no limit on tokens or dollars. */
export function reviewNeed(budget: BudgetState, { step }: StepEntry, output: StepOutput): Need {
  if (!isMetered(budget)) return NO_NEED;
  const shown = "artifact" in output ? output.artifact.bytes : jsonBytes(output.value);
  const bytes = Math.min(shown, REVIEWED_BYTES_MAX) + jsonBytes(step.args);
  return grown({ ...REVIEW_NEED, input: REVIEW_NEED.input + bytes }, growthOf(budget, GROWS.review));
}

/** Returns a step as ready to run, with its estimated need. */
export function readyStep(next: NextPlan, entry: StepEntry): ReadyStep {
  const { step, grant, dependencies } = entry;
  const { budget } = next;
  const usual = grant.modelTokens;
  // A step that runs at most once is not redelivered, so the usage of a lost worker would stay unknown.
  if (budget === undefined || usual === undefined || grant.effect === "once" || !isMetered(budget)) {
    return { ...nameOf(entry), need: NO_NEED };
  }
  let bytes = jsonBytes(step.args);
  for (const dependency of dependencies) {
    const state = next.steps.get(dependency)?.state;
    if (state?.status !== "succeeded") continue;
    bytes += "artifact" in state.output ? state.output.artifact.bytes : jsonBytes(state.output.value);
  }
  // A token is at least one byte, so this is enough to read all outputs.
  const output = Math.ceil(usual * WRITTEN_SHARE);
  return {
    ...nameOf(entry),
    need: grown({ input: usual - output + bytes, output }, growthOf(budget, step.id)),
  };
}
