/** The reviewers' prompts as the rules read them. A missing or malformed block reads as empty. */
import { z } from "zod";
import { parseJson, readResults, type StepResult } from "./plan-prompt.ts";
import { readBlocks } from "./read-blocks.ts";

const ReviewedStep = z.object({
  description: z.string().catch(""),
  successCriteria: z.string().nullish().catch(null),
  expectedOutput: z.string().nullish().catch(null),
});

const DraftStep = z.object({
  id: z.string(),
  description: z.string().catch(""),
  tool: z.string().catch(""),
  args: z.json().catch({}),
  needs: z.array(z.string()).catch([]),
});
export type DraftStep = z.infer<typeof DraftStep>;

const Draft = z.object({
  steps: z.array(DraftStep).catch([]),
  answerFrom: z.string().nullish().catch(null),
});

export type StepCritiquePrompt = {
  readonly goal: string;
  readonly step: z.infer<typeof ReviewedStep>;
  readonly output: StepResult["output"];
};

export function readStepCritique(prompt: string): StepCritiquePrompt {
  const blocks = readBlocks(prompt);
  return {
    goal: blocks.get("goal") ?? "",
    step: ReviewedStep.catch({ description: "" }).parse(parseJson(blocks.get("step") ?? "")),
    output: z
      .json()
      .catch(null)
      .parse(parseJson(blocks.get("output") ?? "null")),
  };
}

export type PlanCritiquePrompt = {
  readonly goal: string;
  /** Their names. */
  readonly tools: readonly string[];
  readonly steps: readonly DraftStep[];
  readonly answerFrom: string | null;
};

export function readPlanCritique(prompt: string): PlanCritiquePrompt {
  const blocks = readBlocks(prompt);
  const { steps, answerFrom } = Draft.catch({ steps: [] }).parse(parseJson(blocks.get("draft") ?? ""));
  const names = (blocks.get("tools") ?? "").split(",").map((name) => name.trim());
  return {
    goal: blocks.get("goal") ?? "",
    tools: names.filter((name) => name !== ""),
    steps,
    answerFrom: answerFrom ?? null,
  };
}

export type AnswerCritiquePrompt = {
  readonly goal: string;
  readonly results: readonly StepResult[];
  readonly draft: string;
};

export function readAnswerCritique(prompt: string): AnswerCritiquePrompt {
  const blocks = readBlocks(prompt);
  return {
    goal: blocks.get("goal") ?? "",
    results: readResults(blocks, "results"),
    draft: blocks.get("draft") ?? "",
  };
}

export type ValuesPrompt = {
  readonly goal: string;
  readonly path: readonly StepResult[];
  readonly actions: readonly StepResult[];
};

export function readValuesPrompt(prompt: string): ValuesPrompt {
  const blocks = readBlocks(prompt);
  return {
    goal: blocks.get("goal") ?? "",
    path: readResults(blocks, "path"),
    actions: readResults(blocks, "actions"),
  };
}
