/** What a piece of work is thought to need of a budget: a guess that grows when it turns out too small. */
import type { BudgetState, ReadyStep } from "./budget-state.ts";
import type { NextPlan, StepEntry } from "../plan-state.ts";
import { jsonBytes } from "../../check/json-bytes.ts";
import type { StepOutput } from "../../events/values.ts";
import { growthOf, isMetered } from "./budget-ledger.ts";
import { type Need, NO_NEED } from "./budget-prices.ts";
import { nameOf } from "../step/runs.ts";

/** A draft reads the goal, the tools and their schema, and writes a plan. */
export const DRAFT_NEED: Need = { input: 49_152, output: 16_384 };
/** A judgement reads every result and writes an answer. */
export const JOIN_NEED: Need = { input: 49_152, output: 16_384 };
/** A judgement of a draft reads it with what it is for. */
export const CRITIQUE_NEED: Need = { input: 24_576, output: 8_192 };
/** A look for facts reads one output and writes what it says in a few words. */
export const PROCESS_NEED: Need = { input: 28_672, output: 4_096 };
/** Names of what all drafts and all joins have learned about their size. */
export const GROWS = { draft: "~draft", join: "~join", review: "~review", critique: "~critique" } as const;
/** A judgement of one step: its instructions, and what it says. */
const REVIEW_NEED: Need = { input: 2_048, output: 2_048 };
/** Of what a tool says that its calls need; the rest they read. */
const WRITTEN_SHARE = 0.5;
/** More of an output than this no judge is shown. */
const REVIEWED_BYTES_MAX = 100_000;

/** A need that has turned out too small so often. */
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

/** A step that could run now, were there a budget for it. */
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
  // No token stands for less than a byte, so that this much is enough to read everything.
  const output = Math.ceil(usual * WRITTEN_SHARE);
  return {
    ...nameOf(entry),
    need: grown({ input: usual - output + bytes, output }, growthOf(budget, step.id)),
  };
}
