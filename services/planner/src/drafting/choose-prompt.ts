import type { Prompt } from "@planwright/shared/prompt";
import type { ChosenStrategy, DraftFormat, DraftRequest } from "./draft-request.ts";
import { hierarchicalPrompt } from "./hierarchical-prompt.ts";
import { linesPrompt } from "./lines-prompt.ts";
import { planPrompt } from "./plan-prompt.ts";
import { sequentialPrompt } from "./sequential-prompt.ts";
import { treeSearchPrompt } from "./tree-search-prompt.ts";
import { wavesPrompt } from "./waves-prompt.ts";

/** The prompt for a plan's steps by a strategy in a format; `code` has none, see `draft-program.ts`. */
export function choosePrompt(strategy: ChosenStrategy, format: DraftFormat): Prompt<DraftRequest> {
  if (strategy === "tree-search") return treeSearchPrompt;
  if (format === "lines") return linesPrompt;
  switch (strategy) {
    case "sequential":
      return sequentialPrompt;
    case "hierarchical":
      return hierarchicalPrompt;
    case "waves":
      return wavesPrompt;
    case "parallel":
    case "direct":
    case "code":
      return planPrompt;
    default:
      strategy satisfies never;
      return planPrompt;
  }
}
