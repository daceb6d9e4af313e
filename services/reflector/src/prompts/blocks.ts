/** Common parts of several prompts. */
import { type KnownPlan, onAnswerSteps, type StepEntry } from "@planwright/plan";
import type { ReplyFault } from "@planwright/shared/jobs";
import type { ModelMessage } from "@planwright/shared/model";
import { goalBlocks, jsonBlock, type PromptId } from "@planwright/shared/prompt";

const AGAIN = "Your last reply has these faults. Write the whole reply again.";

/** The subject of a review, and the faults of the reviewer's last reply. */
export type ReviewInput<About> = About & { readonly issues: readonly ReplyFault[] };

type ReviewTexts = { readonly system: string; readonly again: string };

/** Defines a prompt that requests a review. */
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

/** The faults of the last reply; empty when there was none. */
export function faultBlocks(again: string, issues: readonly ReplyFault[]): string[] {
  return issues.length === 0 ? [] : [again, jsonBlock("issues", issues)];
}

/** The goal, and the rules to follow. */
export function taskBlocks({ goal }: Pick<KnownPlan, "goal">): string[] {
  const { constraints } = goal;
  return [...goalBlocks(goal), ...(constraints.length === 0 ? [] : [jsonBlock("constraints", constraints)])];
}

/** Says how many steps are omitted, and that they are not needed. */
export function leftOut(left: number): string[] {
  return left === 0 ? [] : [`${left} steps are not shown; other steps have used their results.`];
}

/** The steps that contribute to the answer: those replaced by a revision count only if they succeeded. */
export function stepsOfThePlan(plan: Parameters<typeof onAnswerSteps>[0]): StepEntry[] {
  const isOfThePlan = ({ state, replaced }: StepEntry): boolean =>
    replaced !== true || state.status === "succeeded";
  return [...onAnswerSteps(plan).steps.values()].filter(isOfThePlan);
}
