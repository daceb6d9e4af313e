/** What several prompts have in common. */
import { type KnownPlan, onAnswerSteps, type StepEntry } from "@planwright/plan";
import type { ReplyFault } from "@planwright/shared/jobs";
import type { ModelMessage } from "@planwright/shared/model";
import { goalBlocks, jsonBlock, type PromptId } from "@planwright/shared/prompt";

const AGAIN = "Your last reply has these faults. Write the whole reply again.";

/** What a reviewer is asked about, and what was wrong with its last reply. */
export type ReviewInput<About> = About & { readonly issues: readonly ReplyFault[] };

type ReviewTexts = { readonly system: string; readonly again: string };

/** What defines a prompt that requests a review. */
export function review<About>({
  system,
  blocks,
  ...id
}: PromptId & {
  readonly system: string;
  readonly blocks: (about: About) => readonly string[];
}) {
  return {
    ...id,
    texts: { system, again: AGAIN },
    messages: (texts: ReviewTexts, input: ReviewInput<About>): readonly ModelMessage[] => [
      { role: "system", content: texts.system },
      { role: "user", content: [...blocks(input), ...faultBlocks(texts.again, input.issues)].join("\n") },
    ],
  };
}

/** What was wrong with the last reply; nothing when there was none. */
export function faultBlocks(again: string, issues: readonly ReplyFault[]): string[] {
  return issues.length === 0 ? [] : [again, jsonBlock("issues", issues)];
}

/** What is wanted, and the rules to follow. */
export function taskBlocks({ goal }: Pick<KnownPlan, "goal">): string[] {
  const { constraints } = goal;
  return [...goalBlocks(goal), ...(constraints.length === 0 ? [] : [jsonBlock("constraints", constraints)])];
}

/** How many steps are left out, and that this is no loss. */
export function leftOut(left: number): string[] {
  return left === 0 ? [] : [`${left} steps are not shown; other steps have used their results.`];
}

/** The steps that an answer is made of: what failed before a revision has been planned around, what succeeded counts. */
export function stepsOfThePlan(plan: Parameters<typeof onAnswerSteps>[0]): StepEntry[] {
  const isOfThePlan = ({ state, replaced }: StepEntry): boolean =>
    replaced !== true || state.status === "succeeded";
  return [...onAnswerSteps(plan).steps.values()].filter(isOfThePlan);
}
